package operations

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A request whose answer is lost is sent again, and conflicts with its own first write. The result has the losses of both.
func TestDisownWithALostAnswer(t *testing.T) {
	t.Parallel()
	kept := clustertest.Owning(`{"f:data":{"f:a":{}}}`)
	version, held := "1", slices.Concat(
		kept,
		[]metav1.ManagedFieldsEntry{clustertest.Updating("kubectl", `{"f:data":{"f:b":{}}}`)},
	)
	api := clustertest.Stub{
		OnGet: func() (*unstructured.Unstructured, error) { return clustertest.Live("u", version, held), nil },
		OnPatch: func(string, []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
			version, held = "2", kept
			return nil, clustertest.Failing(cluster.ReasonConflict)
		},
	}
	lost, err := Managers{Names: []string{"kubectl"}}.Disown(t.Context(), api, clustertest.ConfigMap)
	if err != nil {
		t.Fatal(err)
	}
	kubectl := ownership.Manager{Name: "kubectl", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1"}
	want := []Loss{{Manager: kubectl, Fields: []string{"data.b"}}}
	if diff := cmp.Diff(want, lost.Of); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
}
