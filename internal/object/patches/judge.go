package patches

import (
	"fmt"
	"reflect"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// judgement is the effect of an operation on an object.
type judgement struct {
	// change is the operation reduced to its actual changes; nil if it changes nothing.
	change *operation
	// left is true if a request leaves the operation out: it is in effect, and the server would refuse or repeat it.
	left bool
}

// judge returns the effect of the operation on an object, or an *Error if it does not fit the object.
func (o operation) judge(object map[string]any) (judgement, error) {
	target, err := o.find(object, o.path)
	if err != nil {
		return judgement{}, err
	}
	switch o.op {
	case opTest:
		return o.judgeTest(target)
	case opRemove:
		return judgement{change: &o, left: !target.found}, nil
	case opReplace:
		// A null field is the same as a missing one.
		if !target.found && o.want == nil {
			return judgement{left: !target.inMap}, nil
		}
		if !target.found {
			return judgement{}, o.missing(o.path, "Write an add, which also replaces a field that is there.")
		}
		return o.putting(target, o.want), nil
	case opCopy:
		source, err := o.find(object, o.from)
		if err != nil {
			return judgement{}, err
		}
		if !source.found {
			return judgement{}, o.missing(o.from, "Write an add of the value that you mean.")
		}
		return o.judgeAdd(target, source.value)
	default:
		return o.judgeAdd(target, o.want)
	}
}

func (o operation) judgeTest(target location) (judgement, error) {
	switch {
	case target.found && reflect.DeepEqual(target.value, o.want):
		return judgement{}, nil
	case !target.found && o.want == nil:
		return judgement{left: !target.inMap}, nil
	}
	details := &TestFailedError{Pointer: o.path.String(), Want: o.want, Found: target.value, Missing: !target.found}
	return judgement{}, &Error{
		Problem: o.name + " failed: " + details.Error(),
		Suggestion: "The object differs from what the patch expects. Read the object, and write the patch for its " +
			"present values.",
		Details: details,
	}
}

func (o operation) judgeAdd(target location, value any) (judgement, error) {
	switch {
	case target.list != nil:
		return o.judgeInsert(target, value)
	case !target.inMap:
		return judgement{}, o.missing(o.path[:len(o.path)-1], "Write a merge patch, which creates the missing maps.")
	}
	return o.putting(target, value), nil
}

// judgeInsert judges an item of a list by the result: it is in effect if the item is at its position.
func (o operation) judgeInsert(target location, value any) (judgement, error) {
	list, at := *target.list, o.path[:len(o.path)-1]
	switch value.(type) {
	case map[string]any, []any:
		return judgement{}, &Error{
			Problem: fmt.Sprintf("%s adds an item that is %s to the list %s, and the next apply could not tell "+
				"whether the item is there", o.name, manifest.Describe(value), at),
			Suggestion: "Name the item by its key, with a strategic patch for a built-in kind or with server-side " +
				"apply. Or set the list with replace.",
		}
	}
	if target.found && target.value == value {
		return judgement{left: true}, nil
	}
	same := func(item any) bool { return reflect.DeepEqual(item, value) }
	if other := slices.IndexFunc(list, same); other >= 0 {
		return judgement{}, &Error{
			Problem:    fmt.Sprintf("%s adds an item that the list has already, at position %d", o.name, other),
			Suggestion: fmt.Sprintf("Write that position, or set the list %s with replace.", at),
		}
	}
	if target.index > len(list) {
		return judgement{}, &Error{
			Problem:    fmt.Sprintf("%s is after the end of a list of %d", o.name, len(list)),
			Suggestion: fmt.Sprintf("Write a position from 0 to %d.", len(list)),
		}
	}
	return o.changing(opAdd, value), nil
}

// putting returns the judgement of setting a field or item to a value.
func (o operation) putting(target location, value any) judgement {
	if target.found && reflect.DeepEqual(target.value, value) {
		return judgement{}
	}
	if target.found {
		return o.changing(opReplace, value)
	}
	return o.changing(opAdd, value)
}

func (o operation) changing(op string, value any) judgement {
	return judgement{change: &operation{op: op, path: o.path, value: value, name: o.name}}
}

func (o operation) missing(at pointer, suggestion string) *Error {
	return &Error{Problem: fmt.Sprintf("%s does not apply: the object has no %s", o.name, at), Suggestion: suggestion}
}

// location is the position in an object to which a pointer leads.
type location struct {
	value any
	found bool
	// inMap is true if the last token is a field of an existing map. list is the list around a token that is a
	// position.
	inMap bool
	list  *[]any
	index int
}

// find returns the location to which a pointer leads. It returns the zero location if the map or list around it is
// missing.
func (o operation) find(object map[string]any, at pointer) (location, error) {
	var here any = object
	for i, token := range at {
		var next location
		switch parent := here.(type) {
		case map[string]any:
			next.inMap = true
			next.value, next.found = parent[token]
		case []any:
			index, is := position(token)
			if !is {
				return location{}, &Error{
					Problem: fmt.Sprintf("%s does not apply: %s is a list, and %q is not a position", o.name, at[:i],
						token),
					Suggestion: "Write a position, counted from 0.",
				}
			}
			next.list, next.index = &parent, index
			if index < len(parent) {
				next.value, next.found = parent[index], true
			}
		default:
			return location{}, nil
		}
		if i == len(at)-1 {
			return next, nil
		}
		if !next.found {
			return location{}, nil
		}
		here = next.value
	}
	return location{}, nil
}

// operate applies the operations of a JSON patch. It returns the object, and the operations to send as JSON. before is
// not mutated.
func (p Patch) operate(before map[string]any) (map[string]any, []byte, error) {
	object, sent := before, []any{}
	for _, one := range p.operations {
		verdict, err := one.judge(object)
		if err != nil {
			return nil, nil, err
		}
		if verdict.left {
			continue
		}
		sent = append(sent, one.wire())
		if verdict.change == nil {
			continue
		}
		if object, err = verdict.change.applyTo(object); err != nil {
			return nil, nil, err
		}
	}
	body, err := encode(sent)
	return object, body, err
}

func (o *operation) applyTo(object map[string]any) (map[string]any, error) {
	text, err := encode([]any{o.wire()})
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, o.refused(err)
	}
	return rewrite(object, patch.Apply, o.refused)
}

// merge applies a merge patch. It returns the object, and the patch to send as JSON. before is not mutated.
func (p Patch) merge(before map[string]any) (map[string]any, []byte, error) {
	fields, err := withLists(p.fields, before, p.keysAtRoot())
	if err != nil {
		return nil, nil, err
	}
	fields = fit(fields, before, nil)
	body, err := encode(fields)
	if err != nil {
		return nil, nil, err
	}
	after, err := mergeInto(before, fields)
	return after, body, err
}

// rewrite returns the object after change, which gets and returns it as JSON.
func rewrite(
	object map[string]any, change func([]byte) ([]byte, error), refused func(error) *Error,
) (map[string]any, error) {
	text, err := encode(object)
	if err != nil {
		return nil, err
	}
	changed, err := change(text)
	if err != nil {
		return nil, refused(err)
	}
	decoded, err := decode(changed)
	if err != nil {
		return nil, err
	}
	remove(decoded, isNull)
	fields, _ := decoded.(map[string]any)
	return fields, nil
}

func (o *operation) refused(err error) *Error {
	return &Error{Problem: o.name + " does not apply: " + err.Error(), Suggestion: "Compare its path with the object."}
}

func refusedFields(err error) *Error {
	return &Error{
		Problem: "the patch does not apply: " + err.Error(), Suggestion: "Compare its fields with those of the object.",
	}
}
