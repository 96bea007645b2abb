package documents

import (
	"strings"
	"testing"
)

// The errors about a text with many manifests have no word of it but the key of an object.
func TestErrorsDoNotQuote(t *testing.T) {
	t.Parallel()
	const object = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\nstringData:\n  password: "
	failed := 0
	for _, value := range []string{
		"*hunter2", "&hunter2 a\n  b: *hunter", "!!int hunter2", "!!float hunter2", "!!timestamp hunter2", "!!binary hunter2!", "\"hunter2\"hunter2", "\"hunter2", "'hunter2", "[hunter2", "{hunter2",
		"{hunter2: a, hunter2: b}", "@hunter2", "%hunter2", "`hunter2", "|hunter2", "hunter2: hunter2", "hunter2\n\thunter2", "\n  hunter2", "{<<: hunter2}", "\"\\hunter2\"", "{? [hunter2] : a}", "{~: hunter2}",
	} {
		for _, text := range []string{object + value + "\n  more: a\n", object + "a\n---\n" + object + value + "\n", "apiVersion: v1\nkind: List\nitems:\n- " + value + "\n", value, value + ".yaml"} {
			if _, err := Parse(text, Options{Namespace: "c"}); err != nil {
				if failed++; strings.Contains(err.Error(), "hunter") {
					t.Errorf("%q: %v", text, err)
				}
			}
		}
	}
	if failed < 90 {
		t.Errorf("only %d texts are refused", failed)
	}
}
