package patches

import (
	"fmt"
	"slices"

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

// Fields returns the body of a merge patch or a strategic merge patch; nil for a JSON patch. Do not mutate it.
func (p Patch) Fields() map[string]any { return p.fields }

// Sets returns what a merge patch or a strategic merge patch sets, without what it removes; nil for a JSON patch.
func (p Patch) Sets() map[string]any {
	fields, _ := canonicalObject(p.fields) // What was parsed can be written.
	return fields
}

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

// Removes covers the fields that the patch removes, and the maps and lists that it sets as a whole: everything in them
// that the patch does not set is removed. applied are the fields that it sets: they show in which items of a list a map
// or list is that the patch sets. Other fields of items are not covered: only the object shows which items these are.
func (p Patch) Removes(applied *paths.Set) paths.Patterns {
	removed := paths.NewSet()
	for _, one := range p.operations {
		switch {
		case one.op == opRemove:
			insertPointer(removed, way{tokens: one.path}, nil)
		case one.replaces() && p.leadsToOneItem(one.path):
			insertPointer(removed, way{tokens: one.path}, applied)
		}
	}
	eachRemoved(p, p.fields, way{}, p.keysAtRoot(), func(to way) { insertPointer(removed, to, applied) })
	var fields []paths.Path
	paths.Walk(removed, func(path paths.Path, _ bool) { fields = append(fields, path) })
	return paths.Covering(fields, paths.NewFormatter(removed))
}

// replaces reports whether the operation may replace a map or a list. The server merges stringData of a Secret into
// data, and an operation other than replace inserts an item into a list.
func (o operation) replaces() bool {
	last := len(o.path) - 1
	switch {
	case o.op != opReplace && o.path.isItem(last), last == 0 && o.path[0] == stringData:
		return false
	case o.op == opCopy:
		return true
	}
	return (o.op == opAdd || o.op == opReplace) && !isScalar(o.value)
}

// leadsToOneItem reports whether no operation leads to another position of a list in a pointer: only the object shows
// which of the fields that the patch sets are in which item.
func (p Patch) leadsToOneItem(at pointer) bool {
	for i := range at {
		isOther := func(o operation) bool {
			return len(o.path) > i && slices.Equal(o.path[:i], at[:i]) && o.path[i] != at[i]
		}
		if at.isItem(i) && slices.ContainsFunc(p.operations, isOther) {
			return false
		}
	}
	return true
}

// way is a pointer into the body of a patch, in which all items of lists have the position 0, and these items, each at
// the position of its token.
type way struct {
	tokens pointer
	items  []map[string]any
}

// to returns the way to a part of what w leads to: a field, or an item that is not nil.
func (w way) to(token string, item map[string]any) way {
	return way{slices.Concat(w.tokens, pointer{token}), append(slices.Clone(w.items), item)}
}

// insertPointer inserts the field to which a way leads. If it leads into a list, these are the fields around those of
// applied, in the items of the list that have the keys of the item on the way, if that is known.
func insertPointer(fields *paths.Set, to way, applied *paths.Set) {
	var path paths.Path
	for i, token := range to.tokens {
		if to.tokens.isItem(i) {
			path = nil
			break
		}
		path = append(path, paths.Field(token))
	}
	if path != nil {
		fields.Insert(path)
		return
	}
	paths.Walk(paths.OrEmpty(applied), func(path paths.Path, _ bool) {
		for i, token := range to.tokens {
			if i == len(path) || to.tokens.isItem(i) != (path[i].FieldName == nil) ||
				path[i].FieldName != nil && *path[i].FieldName != token {
				return
			}
			if i < len(to.items) && !isItem(path[i], to.items[i]) {
				return
			}
		}
		fields.Insert(path[:len(to.tokens)].Copy())
	})
}

// isItem reports whether an element of a path may be an item of a list: none of its keys has another value in item.
func isItem(element paths.PathElement, item map[string]any) bool {
	for name, key := range paths.KeyFields(element) {
		if value, has := item[name]; has && fmt.Sprint(value) != fmt.Sprint(key) {
			return false
		}
	}
	return true
}

// eachRemoved calls found with the fields that a body sets to null, the maps that it deletes or replaces, and the lists
// that it replaces.
func eachRemoved(p Patch, body map[string]any, at way, keys keysAt, found func(way)) {
	for name, value := range body {
		here, next := at.to(name, nil), keys.field(name)
		switch value := value.(type) {
		case nil:
			found(here)
		case map[string]any:
			if value[directive] != nil {
				found(here)
				continue
			}
			eachRemoved(p, value, here, next, found)
		case []any:
			list, isNamed := next.named()
			if p.Type == Merge && !isNamed || slices.ContainsFunc(value, func(item any) bool {
				return directiveOf(item) == directiveReplace
			}) {
				found(here)
				continue
			}
			for _, item := range value {
				if fields, isMap := item.(map[string]any); isMap {
					eachRemoved(p, fields, here.to("0", fields), next.entry(list, fields), found)
				}
			}
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
