package patches

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
	remove(after, isEmptyList)
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

// The directives of a strategic merge patch.
const (
	directive        = "$patch"
	directiveReplace = "replace"
	directiveDelete  = "delete"
	retainKeys       = "$retainKeys"
	setOrder         = "$setElementOrder/"
	deleteFromList   = "$deleteFromPrimitiveList/"
)

// isDirective reports whether a name is a directive in a strategic merge patch.
func isDirective(name string) bool {
	return name == directive || name == retainKeys || strings.HasPrefix(name, setOrder) ||
		strings.HasPrefix(name, deleteFromList)
}

// checkNoDirectives returns an error for directives in a merge patch, which would write them as fields.
func checkNoDirectives(value any, at pointer) error {
	return eachMap(value, at, func(fields map[string]any, at pointer) error {
		for _, name := range sortedNames(fields) {
			if isDirective(name) {
				return &Error{
					Problem: fmt.Sprintf("%q%s is a directive of strategic merge patches, and this is a merge patch",
						name, in(at)),
					Suggestion: `Set type = "strategic", or write null for a field to remove.`,
				}
			}
		}
		return nil
	})
}

// checkDirectives returns an error for directives that the API server does not know, that contradict the fields around
// them, or that would remove the identity of the object.
func checkDirectives(fields map[string]any, at pointer) error {
	metadata, _ := fields["metadata"].(map[string]any)
	for _, above := range []map[string]any{fields, metadata} {
		for _, name := range []string{directive, retainKeys} {
			if _, has := above[name]; has {
				return &Error{
					Problem:    fmt.Sprintf("%q stands where it would remove the name of the object", name),
					Suggestion: "Write it further down, at the field that you mean.",
				}
			}
		}
	}
	return eachMap(fields, at, func(fields map[string]any, at pointer) error {
		for _, name := range sortedNames(fields) {
			if !strings.HasPrefix(name, "$") {
				continue
			}
			if err := checkDirective(name, fields, at); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkDirective(name string, around map[string]any, at pointer) error {
	value := around[name]
	list, isList := value.([]any)
	switch {
	case !isDirective(name):
		return &Error{
			Problem:    fmt.Sprintf("%q%s is not a directive", name, in(at)),
			Suggestion: "Write $patch, $retainKeys, $setElementOrder/LIST or $deleteFromPrimitiveList/LIST.",
		}
	case name == directive && value != directiveReplace && value != directiveDelete:
		return &Error{
			Problem:    fmt.Sprintf(`"$patch"%s is neither "replace" nor "delete"`, in(at)),
			Suggestion: `Write "replace" or "delete". Without "$patch" the fields are merged.`,
		}
	case name == directive:
		return nil
	case !isList:
		return &Error{
			Problem:    fmt.Sprintf("%q%s is %s, not a list", name, in(at), manifest.Describe(value)),
			Suggestion: "Write a list.",
		}
	case name == retainKeys:
		return checkRetained(list, around, at)
	case strings.HasPrefix(name, deleteFromList):
		return checkDeleted(strings.TrimPrefix(name, deleteFromList), list, around, at)
	}
	return nil
}

// checkRetained returns an error for fields that the patch sets and that $retainKeys does not name.
func checkRetained(retained []any, around map[string]any, at pointer) error {
	for _, name := range sortedNames(around) {
		isRetained := slices.ContainsFunc(retained, func(item any) bool { return item == any(name) })
		if around[name] != nil && !strings.HasPrefix(name, "$") && !isRetained {
			return &Error{
				Problem: fmt.Sprintf(`"$retainKeys"%s does not have the field %q, which the patch sets`, in(at),
					name),
				Suggestion: "Add it to the list: $retainKeys are all fields that stay.",
			}
		}
	}
	return nil
}

// checkDeleted returns an error for deletions whose result depends on the order: the server deletes and adds items in
// no defined order.
func checkDeleted(name string, deleted []any, around map[string]any, at pointer) error {
	value, has := around[name]
	added, isList := value.([]any)
	if has && !isList {
		return &Error{
			Problem: fmt.Sprintf("%q%s deletes items of %q, which the patch makes %s", deleteFromList+name, in(at),
				name, manifest.Describe(value)),
			Suggestion: "Remove one of them.",
		}
	}
	all := slices.Concat(deleted, added)
	for _, item := range all {
		if !isScalar(item) || reflect.TypeOf(item) != reflect.TypeOf(all[0]) {
			return &Error{
				Problem: fmt.Sprintf("%q%s and the items of %q are not all of one type, such as string",
					deleteFromList+name, in(at), name),
				Suggestion: `Write items that are equal to those of the list. ` +
					`An item that is a map is deleted by its key and "$patch": "delete".`,
			}
		}
	}
	for _, item := range deleted {
		if slices.Contains(added, item) {
			return &Error{
				Problem:    fmt.Sprintf("%q%s deletes an item that %q adds", deleteFromList+name, in(at), name),
				Suggestion: "Remove it from one of them.",
			}
		}
	}
	return nil
}

// eachMap visits every map of a value, outer ones first, until visit returns an error.
func eachMap(value any, at pointer, visit func(map[string]any, pointer) error) error {
	switch value := value.(type) {
	case map[string]any:
		if err := visit(value, at); err != nil {
			return err
		}
		for _, name := range sortedNames(value) {
			// Without spare capacity, append copies: siblings must not write into one array.
			if err := eachMap(value[name], append(at[:len(at):len(at)], name), visit); err != nil {
				return err
			}
		}
	case []any:
		for i, item := range value {
			if err := eachMap(item, append(at[:len(at):len(at)], fmt.Sprint(i)), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// in returns the position in the body as the end of a phrase.
func in(at pointer) string {
	if len(at) == 0 {
		return ""
	}
	return " in " + at.String()
}
