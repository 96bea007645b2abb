package model

import "github.com/hashicorp/terraform-plugin-framework/types"

// End is the end of the object of a state, which a plan deletes or replaces.
type End struct {
	State *Model
	// IsRequested is true if only a taint or -replace requests it. IsSilent is true for -replace: Terraform drops the
	// warnings of that plan.
	IsRequested, IsSilent bool
}

// WithoutValues returns a state without what does not decide how its object ends, so that a run can hold it. That of a
// definition keeps its manifest, which names the kind.
func WithoutValues(m *Model) *Model {
	if id, diags := m.Object(); id.IsDefinition() || diags.HasError() {
		return m
	}
	held := *m
	held.Computed = Computed{ID: m.ID, ObjectRef: m.ObjectRef}
	held.YAMLBody, held.Manifest, held.decoded = types.StringNull(), types.DynamicNull(), nil
	return &held
}
