package readiness

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// InputError reports an argument of the user that cannot be read.
type InputError struct {
	// Attribute is "conditions", "fields" or "until", Key its entry; "" without one.
	Attribute, Key string
	// Problem is printed after a colon, Suggestion is a whole sentence.
	Problem, Suggestion string
}

func (e *InputError) Error() string {
	at := e.Attribute
	if e.Key != "" {
		at = fmt.Sprintf("%s[%q]", e.Attribute, e.Key)
	}
	return fmt.Sprintf("%s: %s. %s", at, e.Problem, e.Suggestion)
}

// Expectations are the conditions and fields that a user waits for. All have to hold.
type Expectations struct {
	conditions map[string]string
	fields     []expectedField
}

type expectedField struct {
	path paths.Patterns
	text string
	fits func(text string) bool
}

// Expect reads conditions and fields. An error is an *InputError.
func Expect(conditions, fields map[string]string) (Expectations, error) {
	for _, kind := range slices.Sorted(maps.Keys(conditions)) {
		if kind == "" {
			return Expectations{}, &InputError{"conditions", kind, "the type is empty",
				`Write a type, as in { Available = "True" }.`}
		}
		if !slices.Contains([]string{"True", "False", "Unknown"}, conditions[kind]) {
			return Expectations{}, &InputError{"conditions", kind, fmt.Sprintf("%q is not a status", conditions[kind]),
				`Write "True", "False" or "Unknown".`}
		}
	}
	e := Expectations{conditions: conditions}
	for _, text := range slices.Sorted(maps.Keys(fields)) {
		pattern, err := paths.ParseArgument(text)
		if err != nil {
			return Expectations{}, &InputError{"fields", text, err.Error(), `Write a field path, as in "status.phase".`}
		}
		fits, err := fitting(fields[text])
		if err != nil {
			return Expectations{}, &InputError{"fields", text, err.Error(),
				`Write a value, "*" for any, or a regular expression as "/^v1/".`}
		}
		e.fields = append(e.fields, expectedField{paths.Patterns{pattern}, text, fits})
	}
	return e, nil
}

func fitting(want string) (func(string) bool, error) {
	if want == "*" {
		return func(text string) bool { return text != "" }, nil
	}
	if len(want) > 1 && strings.HasPrefix(want, "/") && strings.HasSuffix(want, "/") {
		expression, err := regexp.Compile(want[1 : len(want)-1])
		if err != nil {
			return nil, err
		}
		return expression.MatchString, nil
	}
	return func(text string) bool { return text == want }, nil
}

// Of returns Ready if all expectations hold for the object's latest generation. Otherwise it returns Failed if [Of]
// does, or else InProgress. An object that is being deleted has the status that [Of] returns.
func (e Expectations) Of(object *unstructured.Unstructured, hasStatus bool) Status {
	r := &reader{object: object.Object}
	if r.has("metadata", "deletionTimestamp") || r.isBehind() {
		return Of(object, hasStatus)
	}
	missing := e.missing(r)
	if missing == "" {
		return ready("All expected conditions and fields hold.")
	}
	if own := Of(object, hasStatus); own.State == Failed || own.Condition != "" {
		return own
	}
	return inProgress("NotAsExpected", missing)
}

func (e Expectations) missing(r *reader) string {
	for _, kind := range slices.Sorted(maps.Keys(e.conditions)) {
		c := r.condition(kind)
		if c.status == e.conditions[kind] {
			continue
		}
		missing := fmt.Sprintf("Condition %s is not %s yet", kind, e.conditions[kind])
		if has := r.kindsOfConditions(); len(has) > 0 && !slices.Contains(has, kind) {
			return missing + ": the object has " + strings.Join(has, ", ") + "."
		}
		return saying(missing, c.message)
	}
	for _, field := range e.fields {
		if found, fits := field.in(r.object, field.path.Start()); !found {
			missing := fmt.Sprintf("Field %s has no value yet", field.text)
			isItself := func(owned string) bool { return owned == field.text } // It is null.
			if nearest := paths.Nearest(field.text, slices.DeleteFunc(r.ownedFields(), isItself)); len(nearest) > 0 {
				missing += ": the object has " + strings.Join(nearest, ", ")
			}
			return missing + "."
		} else if !fits {
			return fmt.Sprintf("Field %s does not have the expected value yet.", field.text)
		}
	}
	return ""
}

// in looks for values at the path. It returns whether there is one, and whether all of them fit.
func (f expectedField) in(value any, at paths.Cursor) (found, fits bool) {
	fits = true
	if value == nil || !at.Alive() {
		return false, fits
	}
	if at.Matched() {
		return true, f.fits(TextOf(value))
	}
	join := func(below any, next paths.Cursor) {
		has, good := f.in(below, next)
		found, fits = found || has, fits && good
	}
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			join(below, at.Field(name))
		}
	case []any:
		for i, below := range value {
			join(below, at.Item(paths.Item{Index: i, Value: below}))
		}
	}
	return found, fits
}

// TextOf returns the string that is compared with an expected value: a string as it is, and any other value as JSON.
func TextOf(value any) string {
	if text, is := value.(string); is {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
