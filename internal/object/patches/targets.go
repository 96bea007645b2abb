package patches

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Targets returns the fields of an object to which the patch gives values, as far as the object contains them. A field
// that the patch removes is not among them. known are the fields that the managers of the object own: if they own only
// the map or list around a field, the result contains that map or list instead.
func (p Patch) Targets(object map[string]any, kind schema.GroupVersionKind, known *paths.Set) *paths.Set {
	f := targetFinder{found: paths.NewSet(), named: map[*any][]paths.PathElement{}}
	apiVersion, name := kind.ToAPIVersionAndKind()
	isSecret := manifest.Identity{APIVersion: apiVersion, Kind: name}.IsSecret()
	if p.Type == JSON {
		for _, one := range p.operations {
			if one.op == opTest || one.op == opRemove {
				continue
			}
			at := one.path
			if isSecret && at[0] == stringData {
				at = append(pointer{"data"}, at[1:]...)
			}
			f.follow(at, object, known)
		}
		return f.found
	}
	fields := p.fields
	if isSecret {
		fields = manifest.StringDataAsData(fields)
	}
	var model strategicpatch.LookupPatchMeta
	if p.Type == Strategic {
		model, _ = modelOf(kind) // Apply refuses a kind without a model.
	}
	f.fields(nil, fields, object, known, rules{model: model, keys: p.keysAtRoot()})
	return f.found
}

type targetFinder struct {
	found *paths.Set
	// named holds the elements of lists by the address of their first item, for operations on single items.
	named map[*any][]paths.PathElement
}

// below visits a field with the part of known below it. If managers own the field only as a whole, below inserts it
// instead, unless it is the labels or annotations: their entries have owners of their own in every kind, and a claim on
// the map alone, next to entries that no manager owns, is one on an empty map.
func (f targetFinder) below(
	at paths.Path, element paths.PathElement, known *paths.Set, visit func(paths.Path, *paths.Set),
) {
	path, inside := paths.Below(at, element), paths.Children(known, element)
	isGranular := len(path) == 2 && *path[0].FieldName == "metadata" && slices.Contains(entryMaps, *path[1].FieldName)
	if inside == nil && paths.Has(known, element) && !isGranular {
		f.found.Insert(path)
		return
	}
	visit(path, inside)
}

// follow inserts the fields at the pointer of an operation.
func (f targetFinder) follow(tokens pointer, object map[string]any, known *paths.Set) {
	var step func(at paths.Path, value any, known *paths.Set, tokens pointer)
	step = func(at paths.Path, value any, known *paths.Set, tokens pointer) {
		if len(tokens) == 0 {
			f.whole(at, value, known)
			return
		}
		switch parent := value.(type) {
		case map[string]any:
			if field, has := parent[tokens[0]]; has {
				f.below(at, paths.Field(tokens[0]), known, func(path paths.Path, inside *paths.Set) {
					step(path, field, inside, tokens[1:])
				})
			}
		case []any:
			index, is := position(tokens[0])
			if !is || index >= len(parent) {
				return
			}
			if f.named[&parent[0]] == nil {
				f.named[&parent[0]] = projection.NameItems(parent, known)
			}
			element := f.named[&parent[0]][index]
			if element.Index != nil {
				f.found.Insert(at.Copy())
				return
			}
			f.below(at, element, known, func(path paths.Path, inside *paths.Set) {
				step(path, parent[index], inside, tokens[1:])
			})
		}
	}
	step(nil, object, known, tokens)
}

// whole inserts the leaves of a value.
func (f targetFinder) whole(at paths.Path, value any, known *paths.Set) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedNames(value) {
			f.below(at, paths.Field(name), known, func(path paths.Path, inside *paths.Set) {
				f.whole(path, value[name], inside)
			})
		}
		if len(value) > 0 {
			return
		}
	case []any:
		elements := projection.NameItems(value, known)
		if len(value) == 0 || slices.ContainsFunc(elements, func(e paths.PathElement) bool { return e.Index != nil }) {
			break
		}
		for i, element := range elements {
			f.below(at, element, known, func(path paths.Path, inside *paths.Set) { f.whole(path, value[i], inside) })
		}
		return
	}
	f.found.Insert(at.Copy())
}

// rules determine how lists are merged: model those of a strategic patch, keys those of a merge patch.
type rules struct {
	model strategicpatch.LookupPatchMeta
	keys  keysAt
}

// entriesOf are the entries of a body, and the list in the object.
type entriesOf struct {
	list          ListKeys
	wanted, there []any
}

// entries inserts those entries of a body that the list contains: each as a whole, or its fields if managers own them.
func (f targetFinder) entries(at paths.Path, of entriesOf, known *paths.Set, keys keysAt) {
	list, there := of.list, of.there
	positions, elements := list.positionsIn(there), projection.NameItems(there, known)
	for _, entry := range of.wanted {
		position, has := positions[list.idOf(entry)]
		if !has {
			continue
		}
		element := list.Element(entry)
		if named := elements[position]; named.Index == nil {
			element = named // Managers own the entry by the keys of the schema.
		}
		fields, _ := entry.(map[string]any)
		old, _ := there[position].(map[string]any)
		if below := paths.Children(known, element); below != nil {
			f.fields(paths.Below(at, element), fields, old, below, rules{keys: keys.entry(list, entry)})
			continue
		}
		f.found.Insert(paths.Below(at, element))
	}
}

// fields inserts those fields of a body that the object contains.
func (f targetFinder) fields(at paths.Path, body, object map[string]any, known *paths.Set, by rules) {
	for _, name := range sortedNames(body) {
		value, has := object[name]
		if !has || isDirective(name) || body[name] == nil {
			continue
		}
		keys := by.keys.field(name)
		f.below(at, paths.Field(name), known, func(path paths.Path, inside *paths.Set) {
			switch wanted := body[name].(type) {
			case map[string]any:
				if there, isMap := value.(map[string]any); isMap && len(wanted) > 0 {
					f.fields(path, wanted, there, inside, rules{modelOfMap(by.model, name), keys})
					return
				}
			case []any:
				there, isList := value.([]any)
				list, hasKeys := keys.named()
				switch {
				case isList && hasKeys:
					f.entries(path, entriesOf{list, wanted, there}, inside, keys)
					return
				case isList && by.model != nil:
					f.items(path, wanted, there, inside, modelOfItems(by.model, name))
					return
				}
			}
			f.whole(path, value, inside)
		})
	}
}

// itemsModel describes how the items of a list are merged: by this key, or by their values if key is "". replaced is
// true if the list is replaced instead.
type itemsModel struct {
	replaced bool
	key      string
	model    strategicpatch.LookupPatchMeta
}

func modelOfItems(model strategicpatch.LookupPatchMeta, name string) itemsModel {
	inner, meta, err := model.LookupPatchMetadataForSlice(name)
	merged := err == nil && slices.Contains(meta.GetPatchStrategies(), "merge")
	return itemsModel{replaced: !merged, key: meta.GetPatchMergeKey(), model: inner}
}

// items inserts the fields of those items of a body that are in a list.
func (f targetFinder) items(at paths.Path, wanted, there []any, known *paths.Set, items itemsModel) {
	elements, byKey := projection.NameItems(there, known), ListKeys{Names: []string{items.key}}
	if items.key != "" && paths.OrEmpty(known).Empty() { // No manager owns an item.
		for i, item := range there {
			elements[i] = byKey.Element(item)
		}
	}
	if items.replaced || slices.ContainsFunc(elements, func(e paths.PathElement) bool { return e.Index != nil }) {
		f.whole(at, there, known)
		return
	}
	positions := byKey.positionsIn(there)
	for _, item := range wanted {
		fields, isMap := item.(map[string]any)
		if isMap && directiveOf(item) != nil {
			continue
		}
		index, has := positions[byKey.idOf(item)]
		if !isMap {
			index = slices.IndexFunc(there, func(other any) bool { return reflect.DeepEqual(other, item) })
			has = index >= 0
		}
		if !has {
			continue
		}
		old, _ := there[index].(map[string]any)
		f.below(at, elements[index], known, func(path paths.Path, inside *paths.Set) {
			if isMap {
				f.fields(path, fields, old, inside, rules{model: items.model})
				return
			}
			f.found.Insert(path)
		})
	}
}

// checkTarget returns an error for a change of a field that identifies the object, or that only the server writes.
func checkTarget(at pointer, subresource string) *Error {
	switch {
	case at[0] == "apiVersion" || at[0] == "kind":
		return identityField(at[0])
	case at[0] == subresource:
		return nil
	case subresource != "":
		return &Error{
			Problem:    fmt.Sprintf("the patch changes %s, which is not in the subresource %s", at[0], subresource),
			Suggestion: "Write only " + subresource + ", and other fields into a patch without a subresource.",
		}
	case at[0] == manifest.Status:
		return &Error{
			Problem:    "the patch changes status, which the controller of the object writes",
			Suggestion: "Remove status from the patch, or move it to a patch of the subresource status.",
		}
	case at[0] != "metadata":
		return nil
	}
	switch {
	case len(at) == 1:
		return &Error{
			Problem:    "the patch changes metadata as a whole, and with it the name of the object",
			Suggestion: "Write the field of metadata to change, such as labels or annotations.",
		}
	case at[1] == "name" || at[1] == "namespace":
		return identityField("metadata." + at[1])
	case slices.Contains(manifest.ServerMetadata(), at[1]):
		return &Error{
			Problem:    "the patch changes metadata." + at[1] + ", which only the API server writes",
			Suggestion: "Remove metadata." + at[1] + " from the patch.",
		}
	}
	return nil
}

func identityField(name string) *Error {
	return &Error{
		Problem:    "the patch has " + name + ", which says which object it is",
		Suggestion: "Remove " + name + " from the patch: the target of the resource names the object.",
	}
}

// checkTargets returns the first error of checkTarget among all fields of the patch.
func (p Patch) checkTargets(subresource string) error {
	for _, one := range p.operations {
		if one.op == opTest {
			continue
		}
		if err := checkTarget(one.path, subresource); err != nil {
			return err
		}
	}
	return checkFields(p.fields, subresource)
}

// checkFields returns the first error of checkTarget among fields, which are a part of an object.
func checkFields(fields map[string]any, subresource string) error {
	for _, name := range sortedNames(fields) {
		metadata, isMap := fields[name].(map[string]any)
		if name != "metadata" || !isMap {
			if err := checkTarget(pointer{name}, subresource); err != nil {
				return err
			}
			continue
		}
		for _, inner := range sortedNames(metadata) {
			if err := checkTarget(pointer{name, inner}, subresource); err != nil {
				return err
			}
		}
	}
	return nil
}
