package record

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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
