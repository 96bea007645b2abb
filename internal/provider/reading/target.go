package reading

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/attributes"
)

// Collection are the arguments that name the objects of a kind, for models to embed.
type Collection struct {
	APIVersion types.String `tfsdk:"api_version"`
	Kind       types.String `tfsdk:"kind"`
	Namespace  types.String `tfsdk:"namespace"`
	attributes.Connection
}

// Objects returns the identity that errors about all objects name.
func (c Collection) Objects() manifest.Identity {
	return manifest.Identity{APIVersion: c.APIVersion.ValueString(), Kind: c.Kind.ValueString(), Namespace: c.Namespace.ValueString()}
}

// Target are the arguments that name one object, for models to embed.
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

// Locate sets the namespace that the object is in.
func (t *Target) Locate(id manifest.Identity) {
	t.Namespace = types.StringNull()
	if id.Namespace != "" {
		t.Namespace = types.StringValue(id.Namespace)
	}
}
