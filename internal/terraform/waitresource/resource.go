// Package waitresource has the resource k8sconnect_wait: it waits for an object that another client creates, and passes
// on its values.
//
// The resource stores what the wait has seen, and changes nothing on the cluster. A create that fails stores nothing,
// and an update that fails keeps the prior state. So the next apply waits again, and resources that depend on this one
// are not applied.
//
// A plan sends no request. The computed values are known, or unknown if the apply waits. A read sends one GET if the
// resource exports values, or if the object was not ready. If the object is gone, the resource leaves the state, and
// the next plan creates it again: resources that use its values see unknown values instead of null.
package waitresource

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

var (
	_ resource.ResourceWithConfigure      = (*waitResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*waitResource)(nil)
	_ resource.ResourceWithValidateConfig = (*waitResource)(nil)
)

type waitResource struct {
	// Names are the names of the resource and its attributes in diagnostics.
	Names diagnostics.Names

	provider *providerdata.Provider
}

// New returns the resource k8sconnect_wait.
func New() resource.Resource { return &waitResource{Names: names} }

func (r *waitResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_wait"
}

func (r *waitResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// AnsweredAhead marks a resource whose reads and plans the server answers ahead of the plugin framework; see package
// fastpath.
func (r *waitResource) AnsweredAhead() {}

// ValidateConfig refuses arguments that describe no valid wait.
func (r *waitResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(waits.Validate(path.Empty(), config.Attributes())...)
	}
}

// names are the names of this resource and its attributes in diagnostics.
var names = diagnostics.Names{
	Noun: "resource", Type: "k8sconnect_wait", Target: "target", Cluster: attributes.AttributeName,
	Timeouts: diagnostics.Timeouts{Block: "timeouts"},
}

type model struct {
	attributes.Connection
	waits.Arguments
	Target   types.Object `tfsdk:"target"`
	Triggers types.Map    `tfsdk:"triggers"`

	Exports          types.Map `tfsdk:"exports"`
	SensitiveExports types.Map `tfsdk:"sensitive_exports"`

	ID              types.String `tfsdk:"id"`
	Ready           types.Bool   `tfsdk:"ready"`
	Values          types.Map    `tfsdk:"values"`
	SensitiveValues types.Map    `tfsdk:"sensitive_values"`

	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// wait returns the wait that the arguments describe. Validation has refused invalid arguments before.
func (m model) wait() waits.Wait {
	wait, _ := m.Wait()
	return wait
}

// object returns the object that the state has found, or else the one that target names. The object of the state stays
// if the namespace of the connection changes.
func (m model) object() manifest.Identity {
	if id, err := manifest.ParseID(m.ID.ValueString()); err == nil {
		return id
	}
	return attributes.TargetOf(m.Target)
}

// exportsNothing reports whether the resource exports no values.
func (m model) exportsNothing() bool { return m.Exports.IsNull() && m.SensitiveExports.IsNull() }

// waitsLike reports whether other has the same wait.
func (m model) waitsLike(other model) bool {
	arguments := func(m model) []attr.Value {
		return []attr.Value{m.Cluster, m.ClusterName, m.Target, m.Until, m.Conditions, m.Fields, m.Triggers, m.Exports,
			m.SensitiveExports}
	}
	return slices.EqualFunc(arguments(m), arguments(other), attr.Value.Equal)
}

// setUnknown marks the values that the wait will see as known after the apply.
func (m *model) setUnknown() {
	m.Ready = types.BoolUnknown()
	m.Values, m.SensitiveValues = exports.Unknown(m.Exports), exports.Unknown(m.SensitiveExports)
}

func (m *model) setSeen(end waiting.Awaited, ready bool) {
	m.Ready = types.BoolValue(ready)
	if m.ID.IsUnknown() {
		m.ID = types.StringValue(end.Object.ID())
	}
	if end.Live == nil {
		m.Values, m.SensitiveValues = exports.Absent(m.Exports), exports.Absent(m.SensitiveExports)
		return
	}
	m.Values, m.SensitiveValues = exports.Values(m.Exports, end.Live.Object), exports.Values(m.SensitiveExports,
		end.Live.Object)
}

func (r *waitResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	target := attributes.TargetAttribute()
	target.PlanModifiers = []planmodifier.Object{objectplanmodifier.RequiresReplace()}
	all := map[string]schema.Attribute{
		"target":   target,
		"triggers": schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"id":       schema.StringAttribute{Computed: true},
		"ready":    schema.BoolAttribute{Computed: true},
	}
	maps.Copy(all, attributes.ConnectionOf[schema.Attribute]())
	maps.Copy(all, waits.ArgumentAttributes())
	maps.Copy(all, exports.Attributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(names.Type, attributes.TheBlock),
		Attributes:          attributes.Described(names.Type, all),
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, names.Type, timeouts.Opts{Create: true, Read: true, Update: true}),
		},
	}
}
