package waits

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
)

// Wait is a wait as described by the arguments.
type Wait struct {
	// Goal has no judge for until = "exists".
	waiting.Goal
	// Reports is true if a failure is a warning.
	Reports bool
	// Replaces is true if the next apply replaces an object that a failed create leaves behind.
	Replaces bool
	// Fields are the paths of fields that the wait waits for.
	Fields []string
}

// Of returns the Wait that arguments describe, given by their names: those of the attribute wait, or those of the
// resource itself. An error is a *readiness.InputError.
func Of(given map[string]attr.Value) (Wait, error) {
	text := func(name string) string {
		got, _ := given[name].(types.String)
		return got.ValueString()
	}
	texts := func(name string) map[string]string {
		got, _ := given[name].(types.Map)
		all := map[string]string{}
		for key, element := range got.Elements() {
			value, _ := element.(types.String)
			all[key] = value.ValueString()
		}
		return all
	}
	conditions, fields := texts("conditions"), texts("fields")
	logs, _ := given["logs"].(types.Int64)
	wait := Wait{Fields: slices.Sorted(maps.Keys(fields))}
	wait.LogLines = int(logs.ValueInt64())
	wait.Reports, wait.Replaces = text("on_failure") == "report", text("on_failure") == "replace"
	expected, err := readiness.Expect(conditions, fields)
	if err != nil {
		return wait, err
	}
	switch {
	case len(conditions)+len(fields) > 0 && text("until") != "":
		return wait, &readiness.InputError{
			Attribute: "until", Key: text("until"), Problem: "conditions or fields say already what to wait for",
			Suggestion: "Remove one of them.",
		}
	case len(conditions)+len(fields) > 0:
		wait.Judge = expected.Of
	case text("until") != "exists":
		wait.Judge = readiness.Of
	}
	return wait, nil
}
