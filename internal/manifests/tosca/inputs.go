package tosca

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// InputError is an error about values that are wrong or missing, as opposed to one about the template.
type InputError struct{ error }

// Unwrap returns the *manifest.Error.
func (e *InputError) Unwrap() error { return e.error }

// input is a declared input.
type input struct {
	kind string
	// required is true for an input that needs a value.
	required bool
	// value is the given value or the default; nil without both.
	value any
}

// kinds are the types of inputs, each with a description of its values.
var kinds = map[string]string{
	"string": "a string", "integer": "a whole number", "float": "a number", "boolean": "true or false",
	"list": "a list", "map": "a map",
}

func (t *template) declared() (map[string]*input, error) {
	all, _ := t.find("topology_template", "inputs").(map[string]any)
	found := make(map[string]*input, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := []any{"topology_template", "inputs", name}
		node, _ := all[name].(map[string]any)
		kind, _ := node["type"].(string)
		if kinds[kind] == "" {
			return nil, t.fault(append(at, "type"), "Write type: string, integer, float, boolean, list or map.",
				"input %q has no type that is supported", name)
		}
		required, isBool := node["required"].(bool)
		if !isBool && node["required"] != nil {
			return nil, t.fault(append(at, "required"), "Write true or false.",
				"required of input %q is %s", name, manifest.Describe(node["required"]))
		}
		in := &input{kind: kind, required: required || !isBool, value: node["default"]}
		if !in.takes(in.value) {
			return nil, t.fault(append(at, "default"), in.write(), "the default of input %q is %s", name,
				manifest.Describe(in.value))
		}
		found[name] = in
	}
	return found, nil
}

// takes reports whether a value is of the type of an input, or nil.
func (in *input) takes(value any) bool {
	switch value.(type) {
	case nil:
		return true
	case string:
		return in.kind == "string"
	case int64:
		return in.kind == "integer" || in.kind == "float"
	case bool:
		return in.kind == "boolean"
	case []any:
		return in.kind == "list"
	case map[string]any:
		return in.kind == "map"
	default:
		return in.kind == "float"
	}
}

func (in *input) write() string {
	return fmt.Sprintf("Its type is %s: write %s.", in.kind, kinds[in.kind])
}

func (t *template) give(values map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch in := t.inputs[name]; {
		case in == nil:
			return &manifest.Error{
				Problem: fmt.Sprintf("the template declares no input %q", name), Suggestion: t.declares(),
			}
		case !in.takes(values[name]):
			return &manifest.Error{
				Problem: fmt.Sprintf("input %q is %s", name, manifest.Describe(values[name])), Suggestion: in.write(),
			}
		default:
			in.value = values[name]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.inputs)) {
		if in := t.inputs[name]; in.required && in.value == nil {
			return &manifest.Error{
				Problem: fmt.Sprintf("input %q is required, and has no value", name),
				Suggestion: fmt.Sprintf("Write %s for it, or a default in line %d of the template.", kinds[in.kind],
					t.lines.Of([]any{"topology_template", "inputs", name})),
			}
		}
	}
	return nil
}

// declares returns a sentence with the names of the inputs.
func (t *template) declares() string {
	if len(t.inputs) == 0 {
		return "It declares none."
	}
	return fmt.Sprintf("It declares %s.", strings.Join(slices.Sorted(maps.Keys(t.inputs)), ", "))
}
