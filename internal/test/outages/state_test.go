package outages_test

import (
	"encoding/json"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
)

// state returns the uids of the objects in the state, by address.
func (s *stage) state() map[string]string {
	s.Helper()
	text, code, err := s.tf.Run(s.Context(), "show", "-json")
	must(s.T, err)
	var state tfjson.State
	state.UseJSONNumber(true)
	if err := json.Unmarshal([]byte(text), &state); err != nil || code != 0 {
		s.Fatalf("show -json: exit code %d, %v\n%s", code, err, tail(text))
	}
	uids := map[string]string{}
	if state.Values == nil {
		return uids
	}
	for _, resource := range state.Values.RootModule.Resources {
		ref, _ := resource.AttributeValues["object_ref"].(map[string]any)
		uids[resource.Address] = fmt.Sprint(ref["uid"])
	}
	return uids
}
