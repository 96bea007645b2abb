package patches

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Type is the format in which a body describes its changes.
type Type string

// The types.
const (
	// JSON is a list of operations (RFC 6902).
	JSON Type = "json"
	// Merge is a part of an object (RFC 7386): null removes a field, and a list replaces a list.
	Merge Type = "merge"
	// Strategic is a part of an object of a built-in kind: lists are merged by the keys of their items.
	Strategic Type = "strategic"
)

// IsKnown reports whether the type is one of the three.
func (t Type) IsKnown() bool { return t == JSON || t == Merge || t == Strategic }

// MediaType returns the Content-Type of a request.
func (t Type) MediaType() types.PatchType {
	switch t {
	case JSON:
		return types.JSONPatchType
	case Merge:
		return types.MergePatchType
	default:
		return types.StrategicMergePatchType
	}
}

// Patch is a change of a part of an object that may be applied again and again.
type Patch struct {
	Type Type
	// Text is the type and the body as a canonical string, the same for bodies that differ only in how they are
	// written.
	Text string
	// operations are the body of a JSON patch, fields that of the other types. fields is not mutated.
	operations []operation
	fields     map[string]any
	// keys are the lists of which a merge patch sets single entries.
	keys []ListKeys
}

// Fields returns what a merge patch or a strategic merge patch sets; nil for a JSON patch. Do not mutate it.
func (p Patch) Fields() map[string]any { return p.fields }

// Setting is a value that a JSON patch sets, and the names and positions that lead to it.
type Setting struct {
	Path  []string
	Value any
}

// Settings returns the values that the operations of a JSON patch set, in the order of the operations. Do not mutate
// it.
func (p Patch) Settings() []Setting {
	var all []Setting
	for _, o := range p.operations {
		if o.op == opAdd || o.op == opReplace {
			all = append(all, Setting{o.path, o.value})
		}
	}
	return all
}

// Parse reads the body, which is JSON, of a patch of an object, or of its subresource unless that is "". Every failure
// is an [*Error].
func Parse(subresource string, kind Type, body string) (Patch, error) {
	var read func(any) (Patch, error)
	switch kind {
	case JSON:
		read = readOperations
	case Merge, Strategic:
		read = func(body any) (Patch, error) { return readMerged(kind, body) }
	default:
		return Patch{}, &Error{
			Problem:    fmt.Sprintf("%q is not a type of patch", string(kind)),
			Suggestion: `Write "json", "merge" or "strategic".`,
		}
	}
	decoded, err := decodeBody(body)
	if err != nil {
		return Patch{}, err
	}
	patch, err := read(decoded)
	if err == nil {
		err = patch.checkTargets(subresource)
	}
	if err != nil {
		return Patch{}, err
	}
	text, err := encode(decoded)
	patch.Text = string(kind) + " " + string(text)
	return patch, err
}

// MergesItems reports whether the patch names items of lists by their keys.
func (p Patch) MergesItems() bool { return p.Type == Strategic }

// readMerged reads the body of a patch that is merged into the object.
func readMerged(kind Type, body any) (Patch, error) {
	fields, err := readFields(kind, body)
	switch {
	case err != nil:
	case kind == Merge:
		err = checkNoDirectives(fields, nil)
	default:
		err = checkDirectives(fields, nil)
	}
	if err != nil {
		return Patch{}, err
	}
	return Patch{Type: kind, fields: fields}, nil
}

// readFields returns a body that is a part of an object.
func readFields(kind Type, body any) (map[string]any, error) {
	fields, isMap := body.(map[string]any)
	switch {
	case !isMap && looksLikeOperations(body):
		return nil, &Error{
			Problem:    fmt.Sprintf("the body of a %s patch is an object, and this is a list of operations", kind),
			Suggestion: `Set type = "json" for a list of operations.`,
		}
	case !isMap:
		return nil, &Error{
			Problem: fmt.Sprintf("the body of a %s patch is an object, not %s", kind, manifest.Describe(body)),
			Suggestion: "Write the fields to change as in a manifest, for example jsonencode({ spec = { replicas = " +
				"3 } }).",
		}
	case len(fields) == 0:
		return nil, emptyPatch()
	}
	return fields, nil
}

func looksLikeOperations(body any) bool {
	list, _ := body.([]any)
	if len(list) == 0 {
		return false
	}
	return looksLikeOperation(list[0])
}

func looksLikeOperation(value any) bool {
	fields, _ := value.(map[string]any)
	return fields["op"] != nil
}

// Removes covers the fields that the patch removes. Items that it removes from lists are not among them: only the
// object shows which items these are.
func (p Patch) Removes() paths.Patterns {
	removed := paths.NewSet()
	for _, one := range p.operations {
		if one.op == opRemove {
			insertPointer(removed, one.path)
		}
	}
	insertRemoved(removed, nil, p.fields)
	var fields []paths.Path
	paths.Walk(removed, func(path paths.Path, _ bool) { fields = append(fields, path) })
	return paths.Covering(fields, paths.NewFormatter(removed))
}

// insertPointer inserts the field at a pointer, unless it leads into a list.
func insertPointer(fields *paths.Set, tokens pointer) {
	var path paths.Path
	for i, token := range tokens {
		if tokens.isItem(i) {
			return
		}
		path = append(path, paths.Field(token))
	}
	fields.Insert(path)
}

// insertRemoved inserts the fields that a body sets to null, and the maps that it deletes or replaces.
func insertRemoved(fields *paths.Set, at paths.Path, body map[string]any) {
	for name, value := range body {
		path := paths.Below(at, paths.Field(name))
		inner, isMap := value.(map[string]any)
		switch {
		case value == nil, inner[directive] != nil:
			fields.Insert(path)
		case isMap:
			insertRemoved(fields, path, inner)
		}
	}
}

// Values returns an object that holds each value that the patch may write, at its field. An item that the patch names
// by its position is appended to its list, regardless of the position.
func (p Patch) Values() map[string]any {
	if p.Type != JSON {
		return p.fields
	}
	values := map[string]any{}
	for _, one := range p.operations {
		if one.value != nil {
			values, _ = put(values, one.path, 0, one.value).(map[string]any)
		}
	}
	return values
}

// put returns below with value set at the tokens of a pointer from the one at a position on. below is mutated.
func put(below any, at pointer, from int, value any) any {
	if from == len(at) {
		return value
	}
	if at.isItem(from) {
		list, _ := below.([]any)
		return append(list, put(nil, at, from+1, value))
	}
	fields, isMap := below.(map[string]any)
	if !isMap {
		fields = map[string]any{}
	}
	fields[at[from]] = put(fields[at[from]], at, from+1, value)
	return fields
}
