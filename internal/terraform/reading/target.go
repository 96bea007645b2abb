package reading

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// Collection holds the arguments that name the objects of a kind. Models embed it.
type Collection struct {
	APIVersion types.String `tfsdk:"api_version"`
	Kind       types.String `tfsdk:"kind"`
	Namespace  types.String `tfsdk:"namespace"`
	attributes.Connection
}

// Objects returns the identity for errors about all objects.
func (c Collection) Objects() manifest.Identity {
	return manifest.Identity{
		APIVersion: c.APIVersion.ValueString(), Kind: c.Kind.ValueString(), Namespace: c.Namespace.ValueString(),
	}
}

// Target holds the arguments that name one object. Models embed it.
type Target struct {
	Collection
	Name types.String `tfsdk:"name"`
}

// Object returns the object as the arguments name it.
func (t Target) Object() manifest.Identity {
	id := t.Objects()
	id.Name = t.Name.ValueString()
	return id
}

// Locate sets the namespace of the object.
func (t *Target) Locate(id manifest.Identity) {
	t.Namespace = types.StringNull()
	if id.Namespace != "" {
		t.Namespace = types.StringValue(id.Namespace)
	}
}
