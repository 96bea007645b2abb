package actions

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

type restartAction struct{ base }

type restartModel struct {
	attributes.Connection
	Target   types.Object   `tfsdk:"target"`
	Wait     types.Bool     `tfsdk:"wait"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// NewRestart returns the action k8sconnect_restart.
func NewRestart() action.Action {
	return &restartAction{base{Names: namesOf("k8sconnect_restart", "target")}}
}

func (a *restartAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = a.schema(ctx, map[string]schema.Attribute{
		"target": attributes.ActionTarget(validators.OneOf(operations.Restartable...)),
		"wait":   schema.BoolAttribute{Optional: true},
	})
}

// ValidateConfig reports an error for an API version other than the one in which the kind is served.
func (a *restartAction) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	var target types.Object
	if resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("target"),
		&target)...); resp.Diagnostics.HasError() {
		return
	}
	named := attributes.TargetOf(target)
	if version := named.APIVersion; version != "" && version != "apps/v1" &&
		slices.Contains(operations.Restartable, named.Kind) {
		resp.Diagnostics.Append(invalid.Value(path.Root("target").AtName("api_version"),
			"target.api_version is \""+version+"\". A Deployment, a StatefulSet and a DaemonSet are of "+
				"apps/v1.\n\nWrite api_version = \"apps/v1\"."))
	}
}

func (a *restartAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m restartModel
	a.invoke(ctx, req, resp, &m, func(api cluster.Interface, progress *progressReport) ended {
		return a.restart(ctx, api, m, progress)
	})
}

func (a *restartAction) restart(
	ctx context.Context, api cluster.Interface, m restartModel, progress *progressReport,
) ended {
	began := time.Now()
	short, cancel := context.WithTimeout(ctx, within(ctx, m.Timeouts, waiting.Limit(nil)))
	defer cancel()
	id, err := cluster.Locate(short, api, attributes.TargetOf(m.Target))
	if err != nil {
		return ended{diags: diag.Diagnostics{a.explain(diagnostics.Restarted, id, err)}}
	}
	live, err := operations.Restart(short, api, id, began)
	if refused, is := errors.AsType[*operations.NotRestartedError](err); is {
		return ended{diags: diag.Diagnostics{unready.NotRestarted(refused)}}
	}
	toFollow := " To follow it, run: " + id.Kubectl("rollout status")
	if err != nil {
		return ended{
			diags:  diag.Diagnostics{a.explain(diagnostics.Restarted, id, err)},
			goesOn: "A rollout of " + id.String() + " may have begun." + toFollow,
		}
	}
	progress.sendOnce("Restarting the pods of " + id.String())
	goesOn := "The rollout of " + id.String() + " goes on." + toFollow
	if !m.Wait.IsNull() && !m.Wait.ValueBool() {
		return ended{goesOn: goesOn}
	}
	patient, end := context.WithDeadline(ctx, began.Add(within(ctx, m.Timeouts, waiting.Limit(live))))
	defer end()
	awaited, err := waiting.Await(patient, api, id, live, progress.reporting(waiting.Goal{Judge: readiness.Of}))
	return ended{diags: waits.Report(a.Names, awaited, err, unready.RestartFailed, a.explain), goesOn: goesOn}
}
