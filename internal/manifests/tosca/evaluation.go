package tosca

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// evaluation evaluates the functions of a template.
type evaluation struct {
	*template
	// running are the places of the functions whose values are not known yet.
	running map[string]bool
	// left is how many more bytes the values may have: functions can double a value with each line.
	left int
}

// place is where a value is written: the node template that SELF means there, and the path in the template.
type place struct {
	node string
	at   []any
}

func propertiesOf(node string) place {
	return place{node, []any{"topology_template", nodeKey, node, "properties"}}
}

func (p place) below(step any) place { return place{p.node, append(p.at[:len(p.at):len(p.at)], step)} }

// getters are functions wherever their names are keys. The other functions need a list as their argument: a Secret may
// have the key token.
var (
	getters = []string{
		"get_artifact", "get_attribute", "get_input", "get_nodes_of_type", "get_operation_output", "get_property",
	}
	others = []string{"concat", "join", "token"}
)

// functionOf returns the name and the argument of the function that a value is; "" for other values.
func functionOf(value any) (name string, argument any) {
	entries, _ := value.(map[string]any)
	for _, name := range getters {
		if argument, has := entries[name]; has {
			return name, argument
		}
	}
	for _, name := range others {
		if argument, isList := entries[name].([]any); isList && len(entries) == 1 {
			return name, argument
		}
	}
	return "", nil
}

func (e *evaluation) value(value any, p place) (evaluated any, err error) {
	name, argument := functionOf(value)
	switch value := value.(type) {
	case map[string]any:
		switch {
		case name == "":
			return e.fields(value, p)
		case len(value) > 1:
			return nil, e.fault(p.at, "Write it as the only key of a map.", "%s is beside other keys", name)
		}
		if evaluated, err = e.call(name, argument, p); err != nil {
			return nil, err
		}
		return evaluated, e.spend(evaluated, p)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			if items[i], err = e.value(item, p.below(i)); err != nil {
				return nil, err
			}
		}
		return items, e.spend(nil, p)
	}
	return value, e.spend(value, p)
}

func (e *evaluation) fields(written map[string]any, p place) (evaluated map[string]any, err error) {
	evaluated = make(map[string]any, len(written))
	for _, key := range slices.Sorted(maps.Keys(written)) {
		if evaluated[key], err = e.value(written[key], p.below(key)); err != nil {
			return nil, err
		}
	}
	return evaluated, e.spend(nil, p)
}

// perValue is the size of a value in bytes without its strings.
const perValue = 16

// sizeOf returns about how many bytes a value has.
func sizeOf(value any) int {
	size := perValue
	switch value := value.(type) {
	case string:
		size += len(value)
	case []any:
		for _, item := range value {
			size += sizeOf(item)
		}
	case map[string]any:
		for key, item := range value {
			size += len(key) + sizeOf(item)
		}
	}
	return size
}

// spend counts a value that was evaluated.
func (e *evaluation) spend(value any, p place) error {
	if e.left -= sizeOf(value); e.left < 0 {
		return e.fault(p.at, "Use fewer functions of functions: API servers accept objects of at most 3 MiB.",
			"the values of functions are larger than %d MiB", largest>>20)
	}
	return nil
}

func (e *evaluation) call(name string, argument any, p place) (any, error) {
	key := fmt.Sprintf("%q", p.at)
	if e.running[key] {
		return nil, e.fault(p.at, "Write a value for one of the properties.", "%s leads back to itself", name)
	}
	e.running[key] = true
	defer delete(e.running, key)
	switch name {
	case "get_input":
		return e.getInput(argument, p)
	case "get_property":
		return e.getProperty(argument, p)
	case "concat":
		return e.concat(argument, p.below(name))
	}
	return nil, e.fault(p.at, "Write a value, or get_input, get_property or concat.", "%s is not supported", name)
}

// stepsOf returns an argument that is a list of names and positions, or one name; nil for others.
func stepsOf(argument any) []string {
	items, isList := argument.([]any)
	if !isList {
		items = []any{argument}
	}
	steps := make([]string, len(items))
	for i, item := range items {
		switch item.(type) {
		case string, int64, bool: // YAML has the key n as false.
			steps[i] = fmt.Sprint(item)
		default:
			return nil
		}
	}
	return steps
}

// below returns the value of a map or a list at a step, and the step as a key or a position; a nil value if there is
// none.
func below(value any, step string) (found, key any) {
	switch value := value.(type) {
	case map[string]any:
		return value[step], step
	case []any:
		if at, err := strconv.Atoi(step); err == nil && at >= 0 && at < len(value) {
			return value[at], at
		}
	}
	return nil, step
}

func (e *evaluation) getInput(argument any, p place) (any, error) {
	steps := stepsOf(argument)
	if len(steps) == 0 {
		return nil, e.fault(p.at, "Write get_input: NAME, or get_input: [NAME, KEY].", "get_input names no input")
	}
	in := e.inputs[steps[0]]
	if in == nil {
		return nil, e.fault(p.at, e.declares(), "the template declares no input %q", steps[0])
	}
	value := in.value
	for _, step := range steps[1:] {
		value, _ = below(value, step)
	}
	if value == nil {
		return nil, e.fault(p.at, "Give it one, or write a default.", "input %q has no value",
			strings.Join(steps, "."))
	}
	return value, nil
}

func (e *evaluation) getProperty(argument any, p place) (any, error) {
	steps := stepsOf(argument)
	if len(steps) < 2 {
		return nil, e.fault(p.at, "Write get_property: [SELF, NAME], or a node template instead of SELF.",
			"get_property names no property")
	}
	if steps[0] == "SELF" {
		steps[0] = p.node
	}
	there := propertiesOf(steps[0])
	value, isKnown := e.find("topology_template", nodeKey, steps[0], "properties"), false
	for _, step := range steps[1:] {
		if name, _ := functionOf(value); name != "" && !isKnown {
			var err error
			if value, err = e.value(value, there); err != nil {
				return nil, err
			}
			isKnown = true
		}
		var key any
		value, key = below(value, step)
		there = there.below(key)
	}
	switch {
	case value == nil:
		return nil, e.fault(p.at, "Write SELF or a node template, and what it has in properties.",
			"there is no %q in the properties of node template %q", strings.Join(steps[1:], "."), steps[0])
	case isKnown:
		return value, nil
	}
	return e.value(value, there)
}

// lastKey matches the end of a string of several lines whose last line contains only a key.
var lastKey = regexp.MustCompile(`\n[ -]*[\w./-]+:$`)

// longestKey is more than the length in bytes of a line with a key of an object.
const longestKey = 512

func (e *evaluation) concat(argument any, p place) (any, error) {
	var text strings.Builder
	items, _ := argument.([]any)
	for i, item := range items {
		part, err := e.value(item, p.below(i))
		if err != nil {
			return nil, err
		}
		switch part.(type) {
		case nil, map[string]any, []any:
			return nil, e.fault(p.below(i).at, "Write strings, numbers and booleans.",
				"an item of concat is a map, a list or null")
		}
		end := text.String()[max(0, text.Len()-longestKey):]
		if name, _ := functionOf(item); name == "get_input" && lastKey.MatchString(end) {
			text.WriteByte(' ') // As Krake does.
		}
		fmt.Fprint(&text, part)
	}
	return text.String(), nil
}
