package patches

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

var (
	deployment = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	configMap  = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	secret     = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	gadget     = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Gadget"}
)

// body returns YAML as JSON.
func body(t testing.TB, text string) string {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(asJSON)
}

func parse(t testing.TB, kind Type, text string) Patch {
	t.Helper()
	patch, err := Parse("", kind, body(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return patch
}

// frozen fails the test if value has changed at its end.
func frozen(t testing.TB, value any) {
	t.Helper()
	before := jsonOf(t, value)
	t.Cleanup(func() {
		if after := jsonOf(t, value); after != before {
			t.Errorf("the input was mutated from\n%s\nto\n%s", before, after)
		}
	})
}

func jsonOf(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// isFault fails the test unless err is an *Error with two sentences.
func isFault(t testing.TB, err error) *Error {
	t.Helper()
	var fault *Error
	if !errors.As(err, &fault) || fault.Problem == "" || strings.HasSuffix(fault.Problem, ".") || !strings.HasSuffix(fault.Suggestion, ".") {
		t.Fatalf("error %#v", err)
	}
	return fault
}
