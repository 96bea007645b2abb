package ssa

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
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
			prior := record.Prior{
				Object: password, ManagedState: state, Settings: record.Settings{Body: tc.body, FieldManager: "k8sconnect"},
				Snapshot: record.Snapshot{
					Object: password, UID: "u", Claims: clustertest.Claims(t, clustertest.Owning(tc.owned)), Fields: record.KnownFields{Declared: record.AsData(password, clustertest.Fields(t, tc.declared))}, AppliedState: record.DigestOf(state), LiveState: record.DigestOf(state),
				},
			}
			if got := Pending(Intent{Manifest: parsed, FieldManager: "k8sconnect"}, prior); got != tc.want {
				t.Errorf("pending %t, want %t", got, tc.want)
			}
		})
	}
}

// TestObserveStringData holds that values which are claimed as stringData are shown as the data that they are,
// also where the snapshot is lost.
func TestObserveStringData(t *testing.T) {
	t.Parallel()
	const claimed = `{"f:stringData":{"f:a":{}}}`
	for name, snapshot := range map[string]record.Snapshot{
		"with a snapshot": {Object: password, UID: "u", Fields: record.KnownFields{Declared: record.AsData(password, clustertest.Fields(t, claimed))}},
		"without one":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
				return clustertest.Live("u", "1", clustertest.Owning(claimed)), nil
			}}
			observed, err := record.Observe(t.Context(), api, "k8sconnect", record.Prior{Object: password, Snapshot: snapshot})
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
	if got := record.PatternsFor(password, patterns); !got.Match(data) || got[0].String() != written[0] {
		t.Errorf("%v does not match the data of a Secret", got)
	}
	if record.PatternsFor(clustertest.ConfigMap, patterns).Match(data) {
		t.Error("stringData matches the data of a ConfigMap")
	}
}
