package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// WithItemKeys returns fields with the keys of each list item of which it holds a part, as far as object has them.
// Without its keys, an item of a manifest is another item, or is not identified at all. All of fields must be in
// object.
func WithItemKeys(object map[string]any, fields *paths.Set) *paths.Set {
	keys := paths.NewSet()
	insertItemKeys(root(object), fields, nil, keys)
	return fields.Union(keys)
}

func insertItemKeys(at node, fields *paths.Set, prefix paths.Path, keys *paths.Set) {
	children := childrenOf(at)
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if part.Below == nil || child.presence != Present {
			continue // A leaf comes with its whole value.
		}
		path := paths.Below(prefix, part.Element)
		item, _ := child.value.(map[string]any)
		for name := range paths.KeyFields(part.Element) {
			if _, has := item[name]; has {
				keys.Insert(paths.Below(path, paths.Field(name)))
			}
		}
		insertItemKeys(child, part.Below, path, keys)
	}
}

// IsAmbiguous reports whether several elements of fields find the same list item of object, because the item leaves a
// key to its default and the elements differ only in that key.
func IsAmbiguous(object map[string]any, fields *paths.Set) bool {
	return isAmbiguous(root(object), fields)
}

func isAmbiguous(at node, fields *paths.Set) bool {
	children, found := childrenOf(at), map[int]bool{}
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if child.presence != Present {
			continue
		}
		if child.index >= 0 && found[child.index] || isAmbiguous(child, part.Below) {
			return true
		}
		found[child.index] = true
	}
	return false
}
