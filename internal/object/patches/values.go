package patches

// Values returns an object that holds each value that the patch may write, at its field. An item that the patch names
// by its position is appended to its list, whatever the position.
func (p Patch) Values() map[string]any {
	if p.Type != JSON {
		return p.fields
	}
	values := map[string]any{}
	for _, one := range p.operations {
		if one.value != nil {
			values, _ = put(values, one.path, one.value).(map[string]any)
		}
	}
	return values
}

// put returns below with value set at a pointer. below is mutated.
func put(below any, at pointer, value any) any {
	if len(at) == 0 {
		return value
	}
	if _, isPosition := position(at[0]); isPosition || at[0] == endOfList {
		list, _ := below.([]any)
		return append(list, put(nil, at[1:], value))
	}
	fields, isMap := below.(map[string]any)
	if !isMap {
		fields = map[string]any{}
	}
	fields[at[0]] = put(fields[at[0]], at[1:], value)
	return fields
}
