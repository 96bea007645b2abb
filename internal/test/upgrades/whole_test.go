package upgrades

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// absent are the attributes that no state of a recording has: connections would hold the machine's paths, and write-only
// arguments are in no state.
var absent = []string{"cluster", "yaml_body_wo", "manifests_wo"}

// TestRecordingsAreWhole holds each recording to have a value for each attribute that its resources had.
func TestRecordingsAreWhole(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t) {
		for _, name := range missing(t, r.read(t, stateFile)) {
			t.Errorf("%s has no value of %s: add one to main.tf, and record again", filepath.Base(r.dir), name)
		}
	}
}

// missing returns the attributes that are null in all instances of a resource type, sorted, as type.attribute.
func missing(t *testing.T, state []byte) []string {
	t.Helper()
	var parsed struct {
		Resources []struct {
			Mode, Type string
			Instances  []struct{ Attributes map[string]any }
		}
	}
	story.Must(t, json.Unmarshal(state, &parsed))
	has := map[string]bool{}
	var note func(path string, value any)
	note = func(path string, value any) {
		has[path] = has[path] || value != nil
		children, isObject := value.(map[string]any)
		if isObject && strings.HasSuffix(path, ".rules_applied") {
			return // A resource of one kind cannot have the rules of another one.
		}
		for name, child := range children {
			note(path+"."+name, child)
		}
	}
	for _, resource := range parsed.Resources {
		for _, instance := range resource.Instances {
			for name, value := range instance.Attributes {
				if resource.Mode == "managed" && !slices.Contains(absent, name) {
					note(resource.Type+"."+name, value)
				}
			}
		}
	}
	maps.DeleteFunc(has, func(_ string, is bool) bool { return is })
	return slices.Sorted(maps.Keys(has))
}

func TestMissing(t *testing.T) {
	t.Parallel()
	state := `{"resources": [
		{"mode": "data", "type": "d", "instances": [{"attributes": {"a": null}}]},
		{"mode": "managed", "type": "r", "instances": [
			{"attributes": {"a": null, "b": null, "cluster": null, "wait": {"until": null, "logs": null}}},
			{"attributes": {"a": {}, "b": null, "wait": {"until": "ready", "logs": null}}}]}]}`
	if got, want := missing(t, []byte(state)), []string{"r.b", "r.wait.logs"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
