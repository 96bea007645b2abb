package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// MarshalJSON returns the arguments as states have them: all of them, the lists first.
func (a Arguments) MarshalJSON() ([]byte, error) {
	all := arguments.OfRules()
	slices.SortStableFunc(all, func(one, other arguments.Argument) int {
		switch {
		case one.Kind.IsList() && other.Kind.IsList():
			return strings.Compare(one.Name, other.Name)
		case one.Kind.IsList():
			return -1
		case other.Kind.IsList():
			return 1
		}
		return 0
	})
	var text bytes.Buffer
	for _, argument := range all {
		value := a[argument.Name]
		if value == nil && argument.Kind == arguments.OneOf {
			value = ""
		}
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(&text, ",%q:%s", storedName(argument.Name), data)
	}
	return []byte("{" + strings.TrimPrefix(text.String(), ",") + "}"), nil
}

// UnmarshalJSON reads what MarshalJSON has returned.
func (a *Arguments) UnmarshalJSON(data []byte) error {
	var stored map[string]any
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	*a = Arguments{}
	for _, argument := range arguments.OfRules() {
		value := stored[storedName(argument.Name)]
		if list, is := value.([]any); is {
			texts := make([]string, len(list))
			for i, element := range list {
				texts[i], _ = element.(string)
			}
			value = texts
		}
		if value != nil && value != "" {
			(*a)[argument.Name] = value
		}
	}
	return nil
}

// storedName returns the name of an argument in states: IgnoreFields for ignore_fields.
func storedName(name string) string {
	stored := ""
	for word := range strings.SplitSeq(name, "_") {
		stored += strings.ToUpper(word[:1]) + word[1:]
	}
	return stored
}
