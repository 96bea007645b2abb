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
	target := attributes.TargetAttribute("The object. It may be missing, and so may its namespace and its kind: the " +
		"apply waits for all of them. A change of `target` is a replacement.")
	target.PlanModifiers = []planmodifier.Object{objectplanmodifier.RequiresReplace()}
	all := map[string]schema.Attribute{
		"target": target,
		"triggers": schema.MapAttribute{
			Optional:    true,
			ElementType: types.StringType,
			MarkdownDescription: "Texts whose change makes the apply wait again, for example `managed_state` of the " +
				"`k8sconnect_manifest` that a controller makes the object from. A change of `cluster`, " +
				"`cluster_name`, `until`, `conditions`, `fields`, `exports` or `sensitive_exports` does so too.",
		},
		"id": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "The object as an import ID has it: " +
				"`apiVersion=apps/v1,kind=Deployment,namespace=default,name=web`.",
		},
	}
	maps.Copy(all, attributes.ConnectionOfResource())
	maps.Copy(all, waits.TopLevel())
	maps.Copy(all, exports.Attributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: "Waits until an object that somebody else creates is ready, for example an object of " +
			"an operator, of Helm or of another configuration. What depends on this resource is " +
			"applied after that. It changes nothing on the cluster, and a destroy does nothing.",
		Attributes: all,
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, timeouts.Opts{
				Create: true, Read: true, Update: true,
				CreateDescription: "How long a create waits. Default `10m`; for a Deployment that exists, its " +
					"`progressDeadlineSeconds` and a minute.",
				ReadDescription:   "How long a read may take. Default `1m`.",
				UpdateDescription: "How long an update waits. Default as for a create.",
			}),
		},
	}
}
