package patches

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Body returns the fields of a patch that is part of an object, nil for a JSON patch. They are not mutated.
func (p Patch) Body() map[string]any { return p.fields }

// Removes covers the fields that the patch removes. What it removes from lists is not among them: only the object shows
// which items these are.
func (p Patch) Removes() paths.Patterns {
	removed := paths.NewSet()
	for _, one := range p.operations {
		if one.op == opRemove {
			insertPointer(removed, one.path)
		}
	}
	insertNulls(removed, nil, p.fields)
	var fields []paths.Path
	paths.Walk(removed, func(path paths.Path, _ bool) { fields = append(fields, path) })
	return paths.Covering(fields, paths.NewFormatter(removed))
}

// insertPointer inserts the field at a pointer. A number in it may be the position of a list item.
func insertPointer(fields *paths.Set, tokens pointer) {
	var path paths.Path
	for _, token := range tokens {
		if _, isPosition := position(token); isPosition {
			return
		}
		path = append(path, paths.Field(token))
	}
	fields.Insert(path)
}

func insertNulls(fields *paths.Set, at paths.Path, body map[string]any) {
	for name, value := range body {
		path := paths.Below(at, paths.Field(name))
		switch value := value.(type) {
		case nil:
			fields.Insert(path)
		case map[string]any:
			insertNulls(fields, path, value)
		}
	}
}
