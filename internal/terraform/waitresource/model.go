package waitresource

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

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

// setSeen sets what a wait has seen.
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
