package paths

// OrEmpty returns fields, and an empty set where fields is nil.
func OrEmpty(fields *Set) *Set {
	if fields == nil {
		return NewSet()
	}
	return fields
}

// Filter returns the members of fields that keep says to keep.
func Filter(fields *Set, keep func(Path) bool) *Set {
	sifted := NewSet()
	Walk(fields, func(path Path, _ bool) {
		if keep(path) {
			sifted.Insert(path)
		}
	})
	return sifted
}
