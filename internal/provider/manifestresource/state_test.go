package manifestresource_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// stateCheck makes a check of the state after the apply of a function over the resource's attributes.
type stateCheck func(attributes map[string]any) error

func (c stateCheck) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = fmt.Errorf("the state has no %s", address)
	if req.State.Values == nil || req.State.Values.RootModule == nil {
		return
	}
	for _, stored := range req.State.Values.RootModule.Resources {
		if stored.Address == address {
			resp.Error = c(stored.AttributeValues)
		}
	}
}

// expectState asserts entries of one computed map in the state, each as "path: value"; absent stands for
// an entry that is not there.
func expectState(attribute string, entries ...string) statecheck.StateCheck {
	return stateCheck(func(attributes map[string]any) error {
		for _, want := range entries {
			path, value, _ := strings.Cut(want, ": ")
			if got := entry(attributes, attribute, path); got != value {
				return fmt.Errorf("state: %s[%s] is %s, want %s", attribute, path, got, value)
			}
		}
		return nil
	})
}

// allStates makes a check of the state of a function over the attributes of all resources.
type allStates func(attributes map[string]map[string]any) error

func (c allStates) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	attributes := map[string]map[string]any{}
	for _, stored := range req.State.Values.RootModule.Resources {
		attributes[stored.Address] = stored.AttributeValues
	}
	resp.Error = c(attributes)
}

// imported asserts the state after terraform import: entries of field_ownership, each "path: manager".
func imported(want ...string) resource.ImportStateCheckFunc {
	return func(states []*terraform.InstanceState) error {
		if len(states) != 1 {
			return fmt.Errorf("imported %d resources", len(states))
		}
		for _, entry := range want {
			path, owner, _ := strings.Cut(entry, ": ")
			if got := states[0].Attributes["field_ownership."+path]; got != owner {
				return fmt.Errorf("imported field_ownership[%s] is %q, want %q", path, got, owner)
			}
		}
		return nil
	}
}
