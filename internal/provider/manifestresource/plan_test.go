package manifestresource_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// planned is one resource of a plan, as JSON.
type planned struct {
	before, after, unknown map[string]any
}

func plannedOf(req plancheck.CheckPlanRequest) (planned, error) { return plannedAt(req, address) }

func plannedAt(req plancheck.CheckPlanRequest, address string) (planned, error) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Address == address {
			before, _ := change.Change.Before.(map[string]any)
			after, _ := change.Change.After.(map[string]any)
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			return planned{before, after, unknown}, nil
		}
	}
	return planned{}, fmt.Errorf("the plan has no %s", address)
}

func entry(attributes map[string]any, attribute, key string) string {
	values, _ := attributes[attribute].(map[string]any)
	value, has := values[key]
	if !has {
		return absent
	}
	return fmt.Sprint(value)
}

// expectChange asserts that the plan changes one entry of field_ownership, co_owners or managed_state;
// absent stands for no entry on either side.
func expectChange(attribute, key, from, to string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		if got := entry(p.before, attribute, key) + " -> " + entry(p.after, attribute, key); got != from+" -> "+to {
			return fmt.Errorf("%s[%s]: got %s, want %s -> %s", attribute, key, got, from, to)
		}
		return nil
	})
}

func expectOwner(field, from, to string) plancheck.PlanCheck {
	return expectChange("field_ownership", field, from, to)
}

func expectValue(field, from, to string) plancheck.PlanCheck {
	return expectChange("managed_state", field, from, to)
}

// expectOnly asserts that the plan changes exactly these entries of an attribute, each written as
// "path: from -> to".
func expectOnly(attribute string, want ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		got := []string{}
		keys := map[string]bool{}
		for _, side := range []map[string]any{p.before, p.after} {
			values, _ := side[attribute].(map[string]any)
			for key := range values {
				keys[key] = true
			}
		}
		for key := range keys {
			if from, to := entry(p.before, attribute, key), entry(p.after, attribute, key); from != to {
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

// expectUnknown asserts which computed attributes of a resource the plan leaves wholly to the apply: these
// and no others.
func expectUnknown(address string, want ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != address {
				continue
			}
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			got := []string{}
			for _, attribute := range computed {
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

func expectAction(action plancheck.ResourceActionType) plancheck.PlanCheck {
	return plancheck.ExpectResourceAction(address, action)
}

// expectForeseen asserts that the plan leaves none of the computed maps to the apply, which is then held
// to them.
func expectForeseen() plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		for _, attribute := range []string{fieldOwnership, coOwners, managedState} {
			if unknown := p.unknown[attribute]; unknown != nil && unknown != false {
				if leaves, isMap := unknown.(map[string]any); !isMap || len(leaves) > 0 {
					return fmt.Errorf("the plan does not know %s: %v", attribute, unknown)
				}
			}
		}
		return nil
	})
}
