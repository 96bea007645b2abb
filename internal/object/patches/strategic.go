package patches

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

// mergeStrategically applies a strategic merge patch. It returns the object, and the patch to send as JSON. before is
// not mutated.
func (p Patch) mergeStrategically(before map[string]any, kind schema.GroupVersionKind) (map[string]any, []byte, error) {
	model, err := modelOf(kind)
	if err != nil {
		return nil, nil, err
	}
	fields := fit(p.fields, before, model)
	body, err := encode(fields)
	if err != nil {
		return nil, nil, err
	}
	after, err := mergedBy(model, runtime.DeepCopyJSON(before), runtime.DeepCopyJSON(fields))
	if err != nil {
		return nil, nil, refusedFields(err)
	}
	if err := checkLeftovers(after, nil); err != nil {
		return nil, nil, err
	}
	after, err = canonicalObject(after)
	withoutEmptyLists(after)
	return after, body, err
}

// modelOf returns the rules by which the lists and maps of a kind are merged.
func modelOf(kind schema.GroupVersionKind) (strategicpatch.LookupPatchMeta, error) {
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return nil, &Error{
			Problem: fmt.Sprintf("%s (%s) has no known strategic merge: only the kinds that are built into "+
				"Kubernetes have one",
				kind.Kind, kind.GroupVersion()),
			Suggestion: `Set type = "merge", which replaces lists as a whole, or use server-side apply.`,
		}
	}
	model, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		return nil, refusedFields(err)
	}
	return model, nil
}

// mergedBy returns object with fields merged into it; both are mutated. The library trusts the types of both, and
// panics if a list contains a null, for example.
func mergedBy(model strategicpatch.LookupPatchMeta, object, fields map[string]any) (merged map[string]any, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("a value has a type that cannot be merged")
		}
	}()
	merged, err = strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(object, fields, model)
	if err != nil {
		return nil, unquoted(err)
	}
	return merged, nil
}

// unquoted returns an error of the library without values of the patch and of the object.
func unquoted(err error) error {
	text := err.Error()
	const noKey = "does not contain declared merge key: "
	if at := strings.LastIndex(text, noKey); at >= 0 {
		return fmt.Errorf("an item of a list lacks its key %q", text[at+len(noKey):])
	}
	for _, known := range []struct{ prefix, meaning string }{
		{"unable to find api field", text}, {"list element types", "a list has items of several types"},
		{"The order in patch list", "a list has another order than its $setElementOrder"},
	} {
		if strings.HasPrefix(text, known.prefix) {
			return errors.New(known.meaning)
		}
	}
	return errors.New("a value has a type that cannot be merged")
}

// checkLeftovers returns an error for directives that the merge has left: the server would take them for fields.
func checkLeftovers(value any, at pointer) error {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedNames(value) {
			if isDirective(name) {
				return &Error{
					Problem: fmt.Sprintf("%s of the patch has %q, and the object has nothing there that it could "+
						"change", at, name),
					Suggestion: fmt.Sprintf("Leave %q out.", name),
				}
			}
			if err := checkLeftovers(value[name], append(at[:len(at):len(at)], name)); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := checkLeftovers(item, append(at[:len(at):len(at)], fmt.Sprint(i))); err != nil {
				return err
			}
		}
	}
	return nil
}
