package prediction

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// foreign returns those of claims that other managers have in another version of the kind.
func (in Inputs) foreign(claims ownership.Claims) ownership.Claims {
	return claims.Others(in.Wanted.FieldManager).InOtherVersions(in.Wanted.Manifest.APIVersion)
}

// changesElsewhere reports whether the apply may change foreign claims in a way that only the server knows, because it
// converts values for them. predicted are the claims after the apply. Claims that the apply converts count as foreign:
// whether it has to convert them may change before Terraform's second plan.
func (in Inputs) changesElsewhere(predicted ownership.Claims, planned PlannedState) bool {
	if len(planned.UnknownValues) == 0 && maps.Equal(planned.ManagedState, in.Wanted.Prior.ManagedState) {
		return false
	}
	rewrite := in.Rewrite
	rewrite.Versions = nil
	foreign := in.foreign(rewrite.Claims(in.Wanted.Claims()))
	return len(foreign) > 0 && !in.answersAlike(foreign, predicted)
}

// answersAlike reports whether an apply that changes the API version of our claim leaves the foreign claims in the
// dry-run's answer as predicted: then the fields of all managers have the same paths in both versions. An answer about
// another object than the one that was read, or a later state of it, counts as alike: if owners are known in
// Terraform's first plan, they must not become unknown in the second because other clients wrote in between.
func (in Inputs) answersAlike(foreign, predicted ownership.Claims) bool {
	switch {
	case !in.changesVersion() || in.Wanted.IsUndecided():
		return false
	case in.HasMoved || in.IsOfNewObject:
		return true
	}
	return !slices.ContainsFunc(foreign, func(claim ownership.Claim) bool {
		return !in.Answered.FieldsOf(claim.Manager).Equals(predicted.FieldsOf(claim.Manager))
	})
}

// changesVersion reports whether our claim is in another API version than the one that the apply has.
func (in Inputs) changesVersion() bool {
	return slices.ContainsFunc(in.Wanted.Claims(), func(c ownership.Claim) bool {
		return c.IsOwn(in.Wanted.PreviousManager()) && c.APIVersion != in.Wanted.Manifest.APIVersion
	})
}

// lostElsewhere returns the managers that own fields in another version of the kind and lose some by the apply,
// according to the answer of the dry-run. Only the server can compare claims of two versions.
func (in Inputs) lostElsewhere() []ownership.Holder {
	if in.IsOfNewObject {
		return nil
	}
	var lost []ownership.Holder
	for _, claim := range in.foreign(in.Wanted.Claims()) {
		if !claim.Fields.Difference(in.Answered.FieldsOf(claim.Manager)).Empty() {
			lost = append(lost, claim.Holder())
		}
	}
	return lost
}
