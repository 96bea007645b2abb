package paths

// slot is a key and its value as an unquoted string. Set members have no key.
type slot struct {
	isKey      bool
	name, text string
}

// holders describes the items of a list that have the same value at the same key.
type holders struct {
	hasString bool
	most      int // the most keys that one of the items has
	mostOfStr int // the same among those that hold a string
}

// ambiguousItems returns a function that reports whether an item of the list, as the API server prints it, may match
// another item too: a number and a string of the same digits, or an item that lacks keys that another item has. It
// returns nil if no item does, which is the usual case, because all items of a list follow one schema. For lists of
// mixed keys, the function may report more items than needed, never fewer.
func ambiguousItems(elements []PathElement) func(PathElement) bool {
	if !mixed(elements) {
		return nil
	}
	held := map[slot]holders{}
	for _, pe := range elements {
		eachSlot(pe, func(s slot, v any, size int) {
			h := held[s]
			h.most = max(h.most, size)
			if _, isString := v.(string); isString {
				h.hasString = true
				h.mostOfStr = max(h.mostOfStr, size)
			}
			held[s] = h
		})
	}
	return func(pe PathElement) bool {
		otherType, fewerKeys := false, true
		eachSlot(pe, func(s slot, v any, size int) {
			h := held[s]
			if _, isString := v.(string); isString {
				fewerKeys = fewerKeys && h.mostOfStr > size
				return
			}
			otherType = otherType || h.hasString
			fewerKeys = fewerKeys && h.most > size
		})
		return otherType || fewerKeys
	}
}

// mixed reports whether the items differ in the number of keys, or whether a key is a string in some items only.
func mixed(elements []PathElement) bool {
	type kind struct{ isKey, isString bool }
	size := 0
	kinds := map[string]kind{}
	differ := false
	for _, pe := range elements {
		eachSlot(pe, func(s slot, v any, count int) {
			_, isString := v.(string)
			k, seen := kinds[s.name]
			differ = differ || seen && k != kind{s.isKey, isString} || size > 0 && size != count
			size = count
			if !seen {
				kinds[s.name] = kind{s.isKey, isString}
			}
		})
	}
	return differ
}

// eachSlot visits the scalars of an item with the number of its keys.
func eachSlot(pe PathElement, visit func(s slot, v any, size int)) {
	if v, ok := ElementValue(pe); ok && isScalar(v) {
		visit(slot{text: bareText(v)}, v, 1)
		return
	}
	if pe.Key == nil {
		return
	}
	eachKey(pe, func(name string, v any) {
		if isScalar(v) {
			visit(slot{isKey: true, name: name, text: bareText(v)}, v, len(*pe.Key))
		}
	})
}
