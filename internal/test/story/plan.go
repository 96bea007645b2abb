package story

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// Planned is one resource of a plan, as JSON.
type Planned struct {
	// Before and After are the attributes; Unknown is true for those that are known after the apply.
	Before, After, Unknown map[string]any
}

// PlannedOf returns the resource test of a plan: the manifest, or the patch if no manifest has that name.
func PlannedOf(req plancheck.CheckPlanRequest) (Planned, error) {
	if planned, err := PlannedAt(req, Address); err == nil {
		return planned, nil
	}
	return PlannedAt(req, PatchAddress)
}

// PlannedAt returns the resource at an address of a plan.
func PlannedAt(req plancheck.CheckPlanRequest, address string) (Planned, error) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Address == address {
			before, _ := change.Change.Before.(map[string]any)
			after, _ := change.Change.After.(map[string]any)
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			return Planned{before, after, unknown}, nil
		}
	}
	return Planned{}, fmt.Errorf("the plan has no %s", address)
}

// Entry returns one entry of a map among the attributes; Absent if the map lacks it.
func Entry(attributes map[string]any, attribute, key string) string {
	values, _ := attributes[attribute].(map[string]any)
	value, has := values[key]
	if !has {
		return Absent
	}
	return fmt.Sprint(value)
}

// ExpectChange asserts that the plan changes one entry of field_ownership, co_owners or managed_state; Absent
// represents a missing entry on either side.
func ExpectChange(attribute, key, from, to string) plancheck.PlanCheck {
	return Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedOf(req)
		if err != nil {
			return err
		}
		if got := Entry(p.Before, attribute, key) + " -> " + Entry(p.After, attribute, key); got != from+" -> "+to {
			return fmt.Errorf("%s[%s]: got %s, want %s -> %s", attribute, key, got, from, to)
		}
		return nil
	})
}

// ExpectOwner asserts a change of field_ownership; see [ExpectChange].
func ExpectOwner(field, from, to string) plancheck.PlanCheck {
	return ExpectChange("field_ownership", field, from, to)
}

// ExpectValue asserts a change of managed_state; see [ExpectChange].
func ExpectValue(field, from, to string) plancheck.PlanCheck {
	return ExpectChange("managed_state", field, from, to)
}

// ExpectOnly asserts that the plan changes exactly these entries of an attribute, each written as
// "path: from -> to".
func ExpectOnly(attribute string, want ...string) plancheck.PlanCheck {
	return Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedOf(req)
		if err != nil {
			return err
		}
		got := []string{}
		keys := map[string]bool{}
		for _, side := range []map[string]any{p.Before, p.After} {
			values, _ := side[attribute].(map[string]any)
			for key := range values {
				keys[key] = true
			}
		}
		for key := range keys {
			if from, to := Entry(p.Before, attribute, key), Entry(p.After, attribute, key); from != to {
				got = append(got, key+": "+from+" -> "+to)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			return fmt.Errorf("%s (-want +got):\n%s", attribute, diff)
		}
		return nil
	})
}

// ExpectUnknown asserts that exactly these computed attributes of a resource are unknown as a whole in the
// plan.
func ExpectUnknown(address string, want ...string) plancheck.PlanCheck {
	return Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != address {
				continue
			}
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			got := []string{}
			for _, attribute := range append(slices.Clone(Computed), Pinned) {
				if unknown[attribute] == true {
					got = append(got, attribute)
				}
			}
			if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
				return fmt.Errorf("unknown attributes of %s (-want +got):\n%s", address, diff)
			}
			return nil
		}
		return fmt.Errorf("the plan has no %s", address)
	})
}

// ExpectAction asserts the action of the plan on the resource test.
func ExpectAction(action plancheck.ResourceActionType) plancheck.PlanCheck {
	return plancheck.ExpectResourceAction(Address, action)
}

// ExpectForeseen asserts that all computed maps are known in the plan. Terraform then requires the apply to
// return the same maps.
func ExpectForeseen() plancheck.PlanCheck {
	return Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedOf(req)
		if err != nil {
			return err
		}
		for _, attribute := range []string{FieldOwnership, CoOwners, ManagedState} {
			if unknown := p.Unknown[attribute]; IsUnknown(unknown) {
				return fmt.Errorf("the plan does not know %s: %v", attribute, unknown)
			}
		}
		return nil
	})
}

// IsUnknown reports whether any part of after_unknown of an attribute is true.
func IsUnknown(unknown any) bool {
	switch unknown := unknown.(type) {
	case bool:
		return unknown
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(unknown)), IsUnknown)
	case []any:
		return slices.ContainsFunc(unknown, IsUnknown)
	}
	return false
}
