package wanted

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// TestBody holds that what is sent to an existing object is the manifest without ignored fields, with its
// uid and nothing else, and that the manifest stays as it is.
func TestBody(t *testing.T) {
	t.Parallel()
	intent := ignoring(t, "data.b")
	before, _ := json.Marshal(intent.Manifest.Object)
	want := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "web", "namespace": "shop", "uid": "u"},
		"data":     map[string]any{"a": "1"},
	}
	if diff := cmp.Diff(want, intent.Body(paths.NewSet(), "u")); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	if after, _ := json.Marshal(intent.Manifest.Object); string(after) != string(before) {
		t.Errorf("the manifest was mutated to %s", after)
	}
}

func TestCheckSeparable(t *testing.T) {
	t.Parallel()
	const known = `{"f:data":{"f:a":{},"f:b":{}},"f:list":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}},"f:args":{}}`
	tests := map[string]struct{ ignore, want string }{
		"a field":                {"data.a", ""},
		"an item":                {"list[name=x]", ""},
		"an atomic list":         {"args", ""},
		"inside an atomic list":  {"args[0]", "args[0] lies inside args, which is atomic: the API server gives it one owner as a whole"},
		"a key of an item":       {"list[0].name", `list[0].name is part of the key of the list item list[name="x"], which can only be ignored as a whole`},
		"what the body lacks":    {"args[7]", ""},
		"a field that is absent": {"data.c", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fields, err := paths.ParseSet([]byte(known))
			if err != nil {
				t.Fatal(err)
			}
			intent := ignoring(t, tt.ignore)
			intent.Manifest.Object = map[string]any{
				"data": map[string]any{"a": "1"}, "args": []any{"x"}, "list": []any{map[string]any{"name": "x"}},
			}
			err = intent.CheckSeparable(fields)
			var whole *NotIgnorableError
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
			} else if !errors.As(err, &whole) || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// TestUnmatched holds that a pattern is idle only when it covers nothing in the manifest, nothing in the
// live object and nothing that anybody owns.
func TestUnmatched(t *testing.T) {
	t.Parallel()
	intent := ignoring(t, "data.a", "data.live", "data.owned", "data.idle", "spec[*]")
	known := paths.NewSet(paths.Path{paths.Field("data"), paths.Field("owned")})
	got := matcher{[]map[string]any{intent.Manifest.Object, {"data": map[string]any{"live": "1"}}}, known}.unmatched(intent.Ignore)
	if diff := cmp.Diff([]string{"data.idle", "spec[*]"}, got); diff != "" {
		t.Errorf("unmatched (-want +got):\n%s", diff)
	}
}

// ignoring returns the intent of a ConfigMap with fields a and b, of which some are ignored.
func ignoring(t *testing.T, ignore ...string) Wanted {
	t.Helper()
	return Wanted{Arguments: arguments.Arguments{Manifest: clustertest.Manifest(t), Ignore: clustertest.Patterns(t, ignore...), FieldManager: "k8sconnect"}}
}

func TestDryRunManager(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("m", validation.FieldManagerMaxLength)
	tests := map[string]struct{ manager, want string }{
		"a short name":                       {"k8sconnect", "k8sconnect-plan"},
		"the longest name":                   {long, long[:len(long)-len("-plan")] + "-plan"},
		"a name that just fits":              {long[5:], long[5:] + "-plan"},
		"a name with a character at the cut": {strings.Repeat("ü", 64), strings.Repeat("ü", 61) + "-plan"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := DryRunManager(tt.manager)
			if got != tt.want || len(got) > validation.FieldManagerMaxLength {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
