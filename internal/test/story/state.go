package story

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// StateCheck is a function of the attributes of the resource test. It implements statecheck.StateCheck.
type StateCheck func(attributes map[string]any) error

// CheckState implements statecheck.StateCheck.
func (c StateCheck) CheckState(
	_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse,
) {
	resp.Error = fmt.Errorf("the state has no %s", Address)
	if req.State.Values == nil || req.State.Values.RootModule == nil {
		return
	}
	for _, stored := range req.State.Values.RootModule.Resources {
		if stored.Address == Address || stored.Address == PatchAddress {
			resp.Error = c(stored.AttributeValues)
		}
	}
}

// ExpectState asserts entries of one computed map in the state, each as "path: value"; Absent represents a
// missing entry.
func ExpectState(attribute string, entries ...string) statecheck.StateCheck {
	return StateCheck(func(attributes map[string]any) error {
		for _, want := range entries {
			path, value, _ := strings.Cut(want, ": ")
			if got := Entry(attributes, attribute, path); got != value {
				return fmt.Errorf("state: %s[%s] is %s, want %s", attribute, path, got, value)
			}
		}
		return nil
	})
}

// AllStates is a function of the attributes of all resources. It implements statecheck.StateCheck.
type AllStates func(attributes map[string]map[string]any) error

// CheckState implements statecheck.StateCheck.
func (c AllStates) CheckState(
	_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse,
) {
	attributes := map[string]map[string]any{}
	for _, stored := range req.State.Values.RootModule.Resources {
		attributes[stored.Address] = stored.AttributeValues
	}
	resp.Error = c(attributes)
}

// Imported asserts the state after terraform import: entries of field_ownership, each "path: manager".
func Imported(want ...string) resource.ImportStateCheckFunc {
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

// PrivateInClear returns the content of private state as the provider reads it: a JSON object of documents.
func PrivateInClear(stored []byte) (json.RawMessage, error) {
	opened, err := privatestate.Open(stored)
	if err != nil || len(opened) == 0 {
		return nil, err
	}
	var values map[string][]byte
	if err := json.Unmarshal(opened, &values); err != nil {
		return nil, err
	}
	documents := map[string]json.RawMessage{}
	for key, value := range values {
		documents[key] = value
	}
	return json.Marshal(documents)
}
