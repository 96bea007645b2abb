package blame

import (
	"strings"
	"testing"
)

// The errors about a live object have no word of it, not even of managedFields, but the names of managers and the kind.
func TestErrorsDoNotQuote(t *testing.T) {
	t.Parallel()
	const object = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  managedFields:\n  - {manager: m, operation: Apply, fieldsV1: {}}\ndata:\n  password: VALUE\n"
	texts := []string{
		"hunter2", "- hunter2", "- [hunter2]", "hunter2: {", object + "---\nhunter2: a\n", "- {operation: hunter2}", "- {operation: Apply, fieldsType: hunter2}", "- {operation: Apply, time: hunter2}",
		"- {operation: Apply, fieldsV1: hunter2}", "- {operation: Apply, fieldsV1: {hunter2: {}}}", "- {operation: Apply, fieldsV1: {\"v:hunter2\": {}}}", "- {operation: Apply, fieldsV1: {\"k:hunter2\": {}}}",
		"- {operation: Apply, fieldsV1: {\"i:hunter2\": {}}}", "- {operation: Apply, fieldsV1: {\"f:a\": hunter2}}", "- {operation: {hunter2: a}}", "- {manager: [hunter2], operation: Apply}",
		"- {manager: \"hunter2\\n\", operation: Apply}",
		strings.Replace(object, "- {manager: m", "- {hunter2: [hunter2], manager: 1", 1), strings.Replace(object, "managedFields:", "managedFields: hunter2", 1),
	}
	for _, value := range []string{"*hunter2", "!!int hunter2", "!!timestamp hunter2", "!!binary hunter2!", "\"hunter2\"hunter2", "\"hunter2", "[hunter2", "{hunter2", "{hunter2: a, hunter2: b}", "@hunter2", "hunter2: hunter2", "{<<: hunter2}", "1\n  password: hunter2"} {
		texts = append(texts, strings.Replace(object, "VALUE", value, 1))
	}
	failed := 0
	for _, text := range texts {
		errs := []error{}
		if object, entries, err := ParseObject(text); err != nil {
			errs = append(errs, err)
		} else if _, err := Read(object, entries, Query{}); err != nil {
			errs = append(errs, err)
		}
		if entries, err := ParseEntries(text); err != nil {
			errs = append(errs, err)
		} else if _, err := Owners(entries); err != nil {
			errs = append(errs, err)
		}
		for _, err := range errs {
			if failed++; strings.Contains(err.Error(), "hunter") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	if failed < 40 {
		t.Errorf("only %d errors", failed)
	}
}
