package projection

import (
	"encoding/json"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// object reads YAML as the core holds objects.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := utiljson.Unmarshal(asJSON, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func set(t testing.TB, fieldsV1 string) *paths.Set {
	t.Helper()
	parsed, err := paths.ParseSet([]byte(fieldsV1))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

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
