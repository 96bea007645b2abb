package projection

import (
	"encoding/json"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

func patterns(t testing.TB, texts ...string) paths.Patterns {
	t.Helper()
	parsed, err := paths.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// frozen fails the test when value is another one at its end.
func frozen(t testing.TB, value any) {
	t.Helper()
	before, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		after, _ := json.Marshal(value)
		if string(before) != string(after) {
			t.Errorf("the input was mutated from\n%s\nto\n%s", before, after)
		}
	})
}
