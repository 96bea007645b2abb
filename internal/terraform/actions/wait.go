package actions

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

type waitAction struct{ base }

type waitModel struct {
	attributes.Connection
	waits.Arguments
	Target   types.Object   `tfsdk:"target"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// NewWait returns the action k8sconnect_wait.
func NewWait() action.Action { return &waitAction{base{Names: namesOf("k8sconnect_wait", "target")}} }

func (a *waitAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	all := attributes.In[schema.Attribute](waits.ArgumentAttributes())
	all["target"] = attributes.ActionTarget()
	resp.Schema = a.schema(ctx, all)
}

// ValidateConfig reports an error for arguments that do not describe a valid wait.
func (a *waitAction) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(waits.Validate(path.Empty(), config.Attributes())...)
	}
}

func (a *waitAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m waitModel
	a.invoke(ctx, req, resp, &m, func(api cluster.Interface, progress *progressReport) ended {
		wait, err := m.Wait()
		if err != nil {
			return ended{diags: diag.Diagnostics{invalid.Values(err.Error())}}
		}
		outcome := unready.ActionFailed
		if wait.OnFailure == waits.Reports {
			outcome = unready.ActionReported
		}
		target := attributes.TargetOf(m.Target)
		progress.sendOnce("Waiting for " + target.String())
		end, err := waiting.AwaitName(ctx, api, target, progress.reporting(wait.Goal),
			func(live *unstructured.Unstructured) time.Duration {
				return within(ctx, m.Timeouts, waiting.Limit(live))
			})
		return ended{diags: waits.Report(a.Names, end, err, outcome, a.explain)}
	})
}
