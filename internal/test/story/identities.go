package story

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const resourceType = "k8sconnect_manifest"

// applies reports whether a resource type applies an object, or part of one. These types have identities.
func applies(typeName string) bool {
	return typeName == resourceType || typeName == "k8sconnect_patch"
}

// typeShapes holds the types of a server's responses.
type typeShapes struct {
	state, identity tftypes.Type
}

func shapesOf(ctx context.Context, server tfprotov6.ProviderServer, typeName string) (typeShapes, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return typeShapes{}, err
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return typeShapes{}, err
	}
	if identities.IdentitySchemas[typeName] == nil {
		return typeShapes{}, fmt.Errorf("%s has no identity schema", typeName)
	}
	return typeShapes{
		state:    schemas.ResourceSchemas[typeName].ValueType(),
		identity: identities.IdentitySchemas[typeName].ValueType(),
	}, nil
}

// attributes returns the string attributes of an answer by name, without null and unknown ones. An answer that is null
// or unknown as a whole has none.
func (typeShapes) attributes(kind tftypes.Type, value *tfprotov6.DynamicValue) (map[string]string, error) {
	texts := map[string]string{}
	if value == nil {
		return texts, nil
	}
	object, err := value.Unmarshal(kind)
	if err != nil || object.IsNull() || !object.IsKnown() {
		return texts, err
	}
	var all map[string]tftypes.Value
	if err := object.As(&all); err != nil {
		return texts, err
	}
	for name, attribute := range all {
		if !attribute.Type().Is(tftypes.String) || attribute.IsNull() || !attribute.IsKnown() {
			continue
		}
		var text string
		if err := attribute.As(&text); err != nil {
			return texts, err
		}
		texts[name] = text
	}
	return texts, nil
}

// checkIdentity asserts that a response with an object also has the object's identity. Terraform before 1.12
// ignores identities, so this check covers them with every CLI.
func (s *recordingServer) checkIdentity(
	ctx context.Context, typeName, answer string, state *tfprotov6.DynamicValue,
	identity *tfprotov6.ResourceIdentityData,
) error {
	shapes, err := shapesOf(ctx, s, typeName)
	if err != nil {
		return err
	}
	object, err := shapes.attributes(shapes.state, state)
	if err != nil || object["id"] == "" {
		return err
	}
	if identity == nil {
		return fmt.Errorf("%s of %s has no identity", answer, object["id"])
	}
	known, err := shapes.attributes(shapes.identity, identity.IdentityData)
	if err != nil {
		return err
	}
	named := manifest.Identity{
		APIVersion: known["api_version"], Kind: known["kind"], Namespace: known["namespace"], Name: known["name"],
	}
	if named.ID() != object["id"] {
		return fmt.Errorf("%s of %s has the identity %s", answer, object["id"], named.ID())
	}
	return nil
}
