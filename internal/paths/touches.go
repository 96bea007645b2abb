package paths

// Touches reports whether the set holds the field, a field that it is part of, or a part of it: a schema that
// changes may split a field and join it again, and it stays the same field.
func Touches(set *Set, path Path) bool {
	for i, element := range path {
		below := Children(set, element)
		if below == nil {
			return Has(set, element)
		}
		if i == len(path)-1 {
			return true
		}
		set = below
	}
	return false
}
