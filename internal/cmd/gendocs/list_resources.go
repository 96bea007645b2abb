package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/serve"
)

// listResources returns the schemas of the list resources in the form of "providers schema -json". The provider is asked itself:
// Terraform before 1.14 and OpenTofu do not print them.
func listResources(ctx context.Context) (map[string]any, error) {
	schemas, err := serve.NewServer("docs")().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	all := map[string]any{}
	for name, schema := range schemas.ListResourceSchemas {
		attributes, err := attributesOf(schema.Block.Attributes)
		if err != nil {
			return nil, fmt.Errorf("the list resource %s: %w", name, err)
		}
		all[name] = map[string]any{
			"version": schema.Version,
			"block":   described(schema.Block.Description, schema.Block.DescriptionKind, map[string]any{"attributes": attributes}),
		}
	}
	return all, nil
}

func attributesOf(attributes []*tfprotov6.SchemaAttribute) (map[string]any, error) {
	all := map[string]any{}
	for _, attribute := range attributes {
		converted := described(attribute.Description, attribute.DescriptionKind, map[string]any{
			"required": attribute.Required, "optional": attribute.Optional,
		})
		if nested := attribute.NestedType; nested != nil {
			inner, err := attributesOf(nested.Attributes)
			if err != nil {
				return nil, err
			}
			converted["nested_type"] = map[string]any{"attributes": inner, "nesting_mode": nestingModes[nested.Nesting]}
		} else {
			text, err := json.Marshal(attribute.Type)
			if err != nil {
				return nil, fmt.Errorf("the type of %s: %w", attribute.Name, err)
			}
			converted["type"] = json.RawMessage(text)
		}
		all[attribute.Name] = converted
	}
	return all, nil
}

var nestingModes = map[tfprotov6.SchemaObjectNestingMode]string{
	tfprotov6.SchemaObjectNestingModeSingle: "single", tfprotov6.SchemaObjectNestingModeList: "list",
	tfprotov6.SchemaObjectNestingModeSet: "set", tfprotov6.SchemaObjectNestingModeMap: "map",
}

func described(text string, kind tfprotov6.StringKind, of map[string]any) map[string]any {
	of["description"], of["description_kind"] = text, "plain"
	if kind == tfprotov6.StringKindMarkdown {
		of["description_kind"] = "markdown"
	}
	return of
}
