// Package actions implements the actions of the provider: operations that a lifecycle block triggers, or that terraform
// apply -invoke runs. An action stores nothing in the state.
//
// The packages restarting, waiting, jobs and disowning do the work, and do not depend on Terraform. The type base holds
// what all actions share: the connection, the progress messages, and the error if the user cancels.
package actions

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// base holds what all actions share. Each action embeds it.
type base struct {
	// Names are the names of the action and its arguments in messages.
	Names diagnostics.Names

	provider *providerdata.Provider
}

func (b *base) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = b.Names.Type
}

func (b *base) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	b.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ModifyPlan reports what is wrong with the connection. It sends no request.
func (b *base) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	of, diags := connectionOf(ctx, req.Config)
	if resp.Diagnostics.Append(diags...); !resp.Diagnostics.HasError() {
		_, _, diags := b.provider.Connect(ctx, of)
		resp.Diagnostics.Append(diags...)
	}
}

// connectionOf returns how an action chooses its cluster.
func connectionOf(ctx context.Context, config tfsdk.Config) (attributes.Connection, diag.Diagnostics) {
	var of attributes.Connection
	diags := config.GetAttribute(ctx, path.Root(attributes.AttributeName), &of.Cluster)
	diags.Append(config.GetAttribute(ctx, path.Root(attributes.ClusterNameAttribute), &of.ClusterName)...)
	return of, diags
}

// ended is the result of an action's work.
type ended struct {
	diags diag.Diagnostics
	// goesOn describes what continues on the cluster if the user cancels; "" if the action has sent no request that
	// changes anything.
	goesOn string
}

// invoke reads the configuration into config, connects and calls work. If the user cancels, one error about that
// replaces the errors of work. Work that succeeded before that counts as a success.
func (b *base) invoke(
	ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse, config any,
	work func(cluster.Interface, *progressReport) ended,
) {
	defer b.provider.Run().BeginApply(ctx)()
	if resp.Diagnostics.Append(req.Config.Get(ctx, config)...); resp.Diagnostics.HasError() {
		return
	}
	of, diags := connectionOf(ctx, req.Config)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	api, diags := b.provider.ConnectToApply(ctx, of)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	end := work(api, &progressReport{send: resp.SendProgress, cancelled: ctx.Err})
	if ctx.Err() == context.Canceled && end.diags.HasError() {
		resp.Diagnostics.Append(b.Names.Cancelled(end.goesOn))
		return
	}
	resp.Diagnostics.Append(diagnostics.Scrub(end.diags)...)
}

type progressReport struct {
	send func(action.InvokeProgressEvent)
	// cancelled returns an error if the user has cancelled the action.
	cancelled func() error
	// secrets are values that no progress may have.
	secrets rendering.Secrets
	last    string
}

// sendOnce sends a message, unless it was also the last one sent, or the user has cancelled the action: Terraform does
// not read how an action ended if it reads progress after the cancellation.
func (p *progressReport) sendOnce(text string) {
	text = manifest.Printable(p.secrets.Scrub(strings.ReplaceAll(text, "\n", " ")))
	if text == "" || text == p.last || p.cancelled() != nil {
		return
	}
	p.last = text
	p.send(action.InvokeProgressEvent{Message: text})
}

// namesOf returns the names of an action in messages. target is the argument that names its object.
func namesOf(typeName, target string) diagnostics.Names {
	return diagnostics.Names{
		Noun: "action", Type: typeName, Target: target,
		Cluster: attributes.AttributeName, Timeouts: diagnostics.Timeouts{Block: timeoutsBlock},
	}
}

const timeoutsBlock = "timeouts"

// schema returns the schema of the action with its arguments, a cluster, a timeout and the descriptions of all of them.
func (b *base) schema(ctx context.Context, arguments map[string]schema.Attribute) schema.Schema {
	of := "action " + b.Names.Type
	maps.Copy(arguments, attributes.UnmarkedConnectionOf[schema.Attribute]())
	block, _ := timeouts.Block(ctx).(schema.SingleNestedBlock)
	invoke, _ := block.Attributes["invoke"].(schema.StringAttribute)
	invoke.Description, invoke.MarkdownDescription = "", attributes.DescriptionOf(of, "timeouts.invoke")
	invoke.Validators = []validator.String{validators.Duration()}
	block.Attributes["invoke"] = invoke
	return schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(of, attributes.TheBlock),
		Attributes:          attributes.Described(of, arguments), Blocks: map[string]schema.Block{timeoutsBlock: block},
	}
}

// within returns the time that an action may take: the timeout of the configuration, or fallback. The block's validator
// has already refused invalid strings.
func within(ctx context.Context, given timeouts.Value, fallback time.Duration) time.Duration {
	limit, _ := given.Invoke(ctx, fallback)
	return limit
}

// reporting returns a goal whose judge also reports the status of each version of the object.
func (p *progressReport) reporting(goal waiting.Goal) waiting.Goal {
	judge := goal.Judge
	if judge == nil {
		return goal
	}
	goal.Judge = func(live *unstructured.Unstructured, hasStatus bool) readiness.Status {
		status := judge(live, hasStatus)
		p.sendOnce(status.Message)
		return status
	}
	return goal
}

// explain returns the diagnostic for a failed operation on an object.
func (b *base) explain(operation diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	return b.provider.Explain(b.Names, operation, id, err)
}
