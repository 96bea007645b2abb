package setresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// Schema implements resource.Resource.
func (r *setResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = attributes.Schema(ctx, names.Type, map[string]schema.Attribute{
		manifestsAttribute:        schema.DynamicAttribute{Required: true},
		secretAttribute:           schema.DynamicAttribute{Optional: true, Sensitive: true},
		writeOnlyAttribute:        attributes.WriteOnlyParts(writeOnlyVersionAttribute),
		writeOnlyVersionAttribute: attributes.WriteOnlyVersion(writeOnlyAttribute),
		"take_over_release":       attributes.ReleaseOfHelm(),
		"hooks":                   schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"hooks_to_run":            schema.ListAttribute{Computed: true, ElementType: types.StringType},
		"revision":                schema.Int64Attribute{Computed: true},
		"objects":                 schema.MapAttribute{Computed: true, ElementType: objectType},
		"owners_elsewhere":        schema.MapAttribute{Computed: true, ElementType: listsType},
		"drifted":                 schema.MapAttribute{Computed: true, ElementType: textsType},
		"pending":                 attributes.ComputedTexts(),
	})
}
