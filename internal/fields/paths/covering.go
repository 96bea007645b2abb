package paths

// Covering returns a pattern for each of fields, in their order. It covers the field, what is below it, and nothing
// else. formatter returns the strings of the patterns.
func Covering(fields []Path, formatter *Formatter) Patterns {
	patterns := make(Patterns, len(fields))
	for n, field := range fields {
		patterns[n] = Pattern{text: formatter.Format(field), steps: exactSteps(field)}
	}
	return patterns
}

func exactSteps(field Path) []step {
	steps := make([]step, len(field))
	for n, element := range field {
		switch {
		case element.FieldName != nil:
			steps[n] = step{kind: stepName, text: *element.FieldName}
		case element.Index != nil:
			steps[n] = step{kind: stepIndex, index: *element.Index}
		default:
			steps[n] = step{kind: stepExact, exact: element}
		}
	}
	return steps
}

// onlyKey returns the key of a list item that is identified by one string; false for any other element.
func onlyKey(element PathElement) (slot, bool) {
	if element.Key == nil || len(*element.Key) != 1 {
		return slot{}, false
	}
	key := (*element.Key)[0]
	value, isString := plain(key.Value.Unstructured()).(string)
	return slot{isKey: true, name: key.Name, text: value}, isString
}
