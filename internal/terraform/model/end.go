package model

// End is the end of the object of a state, which a plan deletes or replaces.
type End struct {
	State *Model
	// IsRequested is true if only a taint or -replace requests it. IsSilent is true for -replace: Terraform drops the
	// warnings of that plan.
	IsRequested, IsSilent bool
}
