package waitresource

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

func (r *waitResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	target := attributes.TargetAttribute()
	target.PlanModifiers = []planmodifier.Object{objectplanmodifier.RequiresReplace()}
	all := map[string]schema.Attribute{
		"target":   target,
		"triggers": schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"id":       schema.StringAttribute{Computed: true},
	}
	maps.Copy(all, attributes.ConnectionOfResource())
	maps.Copy(all, waits.TopLevel())
	maps.Copy(all, exports.Attributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(names.Type, attributes.TheBlock),
		Attributes:          attributes.Described(names.Type, all),
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, names.Type, timeouts.Opts{Create: true, Read: true, Update: true}),
		},
	}
}
