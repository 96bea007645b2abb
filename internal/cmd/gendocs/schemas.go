package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// printedLater returns the schemas of list resources and actions in the form of "providers schema -json". It asks the
// provider directly: Terraform before 1.14 and OpenTofu do not print these schemas.
func printedLater(ctx context.Context) (map[string]any, error) {
	schemas, err := serve.NewServer("docs")().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	lists, actions := map[string]any{}, map[string]any{}
	for name, schema := range schemas.ListResourceSchemas {
		block, err := blockOf(schema.Block)
		if err != nil {
			return nil, fmt.Errorf("the list resource %s: %w", name, err)
		}
		lists[name] = map[string]any{"version": schema.Version, "block": block}
	}
	for name, action := range schemas.ActionSchemas {
		block, err := blockOf(action.Schema.Block)
		if err != nil {
			return nil, fmt.Errorf("the action %s: %w", name, err)
		}
		actions[name] = map[string]any{"block": block}
	}
	return map[string]any{"list_resource_schemas": lists, "action_schemas": actions}, nil
}

func blockOf(block *tfprotov6.SchemaBlock) (map[string]any, error) {
	attributes, err := attributesOf(block.Attributes)
	if err != nil {
		return nil, err
	}
	converted := described(block.Description, block.DescriptionKind, map[string]any{"attributes": attributes})
	nested := map[string]any{}
	for _, inner := range block.BlockTypes {
		if inner.Nesting != tfprotov6.SchemaNestedBlockNestingModeSingle {
			return nil, fmt.Errorf("the block %s is not a single one", inner.TypeName)
		}
		of, err := blockOf(inner.Block)
		if err != nil {
			return nil, err
		}
		nested[inner.TypeName] = map[string]any{"nesting_mode": "single", "block": of}
	}
	if len(nested) > 0 {
		converted["block_types"] = nested
	}
	return converted, nil
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
