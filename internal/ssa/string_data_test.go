package ssa

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

var password = manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "web"}

const secretBody = "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: shop}\nstringData: {a: \"1\"}\n"

// TestPendingOfStringData holds that a state of a version which sent stringData is brought up to date, and
// one that differs in the spelling alone is not.
func TestPendingOfStringData(t *testing.T) {
	t.Parallel()
	const before, now = `{"f:stringData":{"f:a":{}}}`, `{"f:data":{"f:a":{}}}`
	for name, tc := range map[string]struct {
		body, owned, declared string
		want                  bool
	}{
		"as this version leaves it":     {secretBody, now, now, false},
		"written as data":               {"apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: shop}\ndata: {a: MQ==}\n", now, now, false},
		"as a version before left it":   {secretBody, before, before, true},
		"applied again by one before":   {secretBody, before, now, true},
		"a snapshot of a version alone": {secretBody, now, before, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parsed, err := manifest.Parse(secretBody)
			if err != nil {
				t.Fatal(err)
			}
			state := map[string]string{"data.a": "(digest)"}
			prior := Prior{
				Object: password, ManagedState: state, Settings: Settings{Body: tc.body, FieldManager: "k8sconnect"},
				Snapshot: Snapshot{
					Object: password, UID: "u", Managers: owning(tc.owned), Declared: json.RawMessage(tc.declared), AppliedState: digestOf(state), LiveState: digestOf(state),
				},
			}
			got, err := Pending(Intent{Manifest: parsed, FieldManager: "k8sconnect"}, prior)
			if err != nil || got != tc.want {
				t.Errorf("pending %t, want %t: %v", got, tc.want, err)
			}
		})
	}
}

// TestObserveStringData holds that values which are claimed as stringData are shown as the data that they are,
// also where the snapshot is lost.
func TestObserveStringData(t *testing.T) {
	t.Parallel()
	const claimed = `{"f:stringData":{"f:a":{}}}`
	for name, snapshot := range map[string]Snapshot{
		"with a snapshot": {Object: password, UID: "u", Declared: json.RawMessage(claimed)},
		"without one":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := stub{get: func() (*unstructured.Unstructured, error) { return live("u", "1", owning(claimed)), nil }}
			observed, err := Observe(t.Context(), cluster, "k8sconnect", Prior{Object: password, Snapshot: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			if _, shown := observed.ManagedState["data.a"]; !shown || len(observed.ManagedState) != 1 {
				t.Errorf("managed_state is %v", observed.ManagedState)
			}
			if owner := observed.View.FieldOwnership["stringData.a"]; owner != "k8sconnect" {
				t.Errorf("the claim is %q's", owner)
			}
		})
	}
}

func TestPatternsFor(t *testing.T) {
	t.Parallel()
	written := []string{"stringData.a", "data.b", "metadata.labels"}
	patterns, err := paths.ParseAll(written)
	if err != nil {
		t.Fatal(err)
	}
	data := paths.Path{paths.Field("data"), paths.Field("a")}
	if got := PatternsFor(password, patterns); !got.Match(data) || got[0].String() != written[0] {
		t.Errorf("%v does not match the data of a Secret", got)
	}
	if PatternsFor(config, patterns).Match(data) {
		t.Error("stringData matches the data of a ConfigMap")
	}
}
