package kube

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Each update says of which object it is, and of which version.
func TestUpdatesAreGuarded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind       types.PatchType
		body, want string
	}{
		{types.MergePatchType, `{"data":{"a":null}}`, `{"data":{"a":null},"metadata":{"resourceVersion":"7","uid":"u"}}`},
		{types.StrategicMergePatchType, `{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"labels":{"a":"b"},"resourceVersion":"7","uid":"u"}}`},
		{types.JSONPatchType, `[{"op":"remove","path":"/data/a"}]`,
			`[{"op":"replace","path":"/metadata/resourceVersion","value":"7"},{"op":"replace","path":"/metadata/uid","value":"u"},{"op":"remove","path":"/data/a"}]`},
	} {
		got, err := guarded(cluster.Update{Type: test.kind, Body: []byte(test.body), UID: "u", ResourceVersion: "7"})
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != test.want {
			t.Errorf("%s is sent as\n%s\nwant\n%s", test.kind, got, test.want)
		}
	}
}
