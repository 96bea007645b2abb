package paths

// hasMember reports whether the matchTarget is a member of a set with that value.
func (to *matchTarget) hasMember(member operand) bool {
	if to.item != nil {
		return to.item.Value != nil && member.matches(to.item.Value)
	}
	v, ok := ElementValue(to.element)
	return ok && member.matches(v)
}

// hasKeys reports whether the matchTarget is an item of a list with all those keys.
func (to *matchTarget) hasKeys(keys []keyOperand) bool {
	if to.item == nil {
		for _, k := range keys {
			if v, ok := keyField(to.element, k.name); !ok || !k.value.matches(v) {
				return false
			}
		}
		return to.element.Key != nil
	}
	fields, mayLack := to.item.keys()
	equal := 0
	for _, k := range keys {
		v, ok := fields[k.name]
		switch {
		case ok && k.value.matches(v):
			equal++
		case ok || !mayLack:
			return false
		}
	}
	return equal > 0
}

// keys returns the fields that can identify the item, and whether the server may add some.
func (item *Item) keys() (fields map[string]any, mayLack bool) {
	if item.Keys != nil {
		return item.Keys, false
	}
	fields, _ = item.Value.(map[string]any)
	return fields, true
}

// is reports whether the matchTarget is element or, for an item with unknown keys, may be element.
func (to *matchTarget) is(element PathElement) bool {
	if to.item == nil {
		return to.element.Equals(element)
	}
	if v, ok := ElementValue(element); ok {
		return to.item.Value != nil && sameValue(v, to.item.Value)
	}
	if to.item.Keys != nil {
		return Key(to.item.Keys).Equals(element)
	}
	fields, _ := to.item.keys()
	equal, differ := 0, false
	eachKey(element, func(name string, v any) {
		own, ok := fields[name]
		if ok && sameValue(v, own) {
			equal++
		}
		differ = differ || ok && !sameValue(v, own)
	})
	return equal > 0 && !differ
}
