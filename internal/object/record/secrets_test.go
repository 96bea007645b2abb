package record

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// If private state is lost, as it is when the provider is killed, a read knows only from the state what is
// secret. It shows less rather than more.
func TestLostSnapshotKeepsSecrets(t *testing.T) {
	t.Parallel()
	read := func(args arguments.Arguments) map[string]string {
		api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
			return clustertest.Live("u", "1", clustertest.Owning(`{"f:data":{"f:a":{},"f:b":{}}}`)), nil
		}}
		observed, err := Observe(t.Context(), api, "k8sconnect", Prior{Object: clustertest.ConfigMap, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return observed.ManagedState
	}
	for name, tc := range map[string]struct {
		args   arguments.Arguments
		hidden []string
		shown  string
	}{
		"nothing is secret":    {arguments.Arguments{}, nil, ""},
		"a field is sensitive": {arguments.Arguments{Sensitive: clustertest.Patterns(t, "data.a")}, []string{"data.a"}, "(sensitive, hmac-sha256:"},
		"a part is write-only": {arguments.Arguments{WriteOnly: arguments.WriteOnly{Version: "1"}}, []string{"data.a", "data.b"}, "(sensitive, write-only)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := read(tc.args)
			var hidden []string
			for _, field := range []string{"data.a", "data.b"} {
				if tc.shown != "" && strings.HasPrefix(state[field], tc.shown) {
					hidden = append(hidden, field)
				}
			}
			if got, want := strings.Join(hidden, " "), strings.Join(tc.hidden, " "); got != want || len(state) != 2 {
				t.Errorf("hidden are %q, want %q; the state is %v", got, want, state)
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
		"with a snapshot": {Object: clustertest.Secret, Sighting: Sighting{UID: "u"}, Fields: KnownFields{Declared: AsData(clustertest.Secret, clustertest.Fields(t, claimed))}},
		"without one":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
				return clustertest.Live("u", "1", clustertest.Owning(claimed)), nil
			}}
			observed, err := Observe(t.Context(), api, "k8sconnect", Prior{Object: clustertest.Secret, Snapshot: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			if _, shown := observed.ManagedState["data.a"]; !shown || len(observed.ManagedState) != 1 {
				t.Errorf("managed_state is %v", observed.ManagedState)
			}
			if owner := observed.Owners.FieldOwnership["stringData.a"]; owner != "k8sconnect" {
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
	if got := PatternsFor(clustertest.Secret, patterns); !got.Match(data) || got[0].String() != written[0] {
		t.Errorf("%v does not match the data of a Secret", got)
	}
	if PatternsFor(clustertest.ConfigMap, patterns).Match(data) {
		t.Error("stringData matches the data of a ConfigMap")
	}
}
