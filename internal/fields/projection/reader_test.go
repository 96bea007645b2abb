package projection

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// A Reader answers each question as if it were the first, whatever it was asked before.
func TestReaderForgetsNothingAndMixesNothing(t *testing.T) {
	t.Parallel()
	item := func(name string) map[string]any { return map[string]any{"name": name, "role": name + "'s role"} }
	object := map[string]any{"spec": map[string]any{
		"members": []any{item("ann"), item("bob")},
		"others":  []any{item("bob"), item("ann")},
		"none":    []any{},
	}}
	spec, role := paths.Field("spec"), paths.Field("role")
	ann, bob := paths.Key(map[string]any{"name": "ann"}), paths.Key(map[string]any{"name": "bob"})
	reader := NewReader(object)
	var reused paths.Path
	for _, test := range []struct {
		path paths.Path
		want any
	}{
		{paths.Path{spec, paths.Field("members"), bob, role}, "bob's role"},
		{paths.Path{spec, paths.Field("members"), ann, role}, "ann's role"},
		{paths.Path{spec, paths.Field("others"), ann, role}, "ann's role"},
		{paths.Path{spec, paths.Field("none"), ann, role}, nil},
		{paths.Path{spec, paths.Field("others"), ann, paths.Field("absent")}, nil},
		{paths.Path{spec, paths.Field("others"), ann, role}, "ann's role"},
		{paths.Path{role}, nil},
		{paths.Path{spec, paths.Field("members"), bob, role}, "bob's role"},
	} {
		reused = append(reused[:0], test.path...) // A caller may write to a path that it has looked up.
		if got, _ := reader.Lookup(reused); got != test.want {
			t.Errorf("%s is %v, want %v", paths.Format(test.path), got, test.want)
		}
	}
}
