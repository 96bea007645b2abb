package terminating

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// apiServices answers a LIST of APIServices.
type apiServices struct {
	cluster.Interface
	objects []*unstructured.Unstructured
}

func (a apiServices) List(context.Context, cluster.ListQuery) (cluster.Page, error) {
	return cluster.Page{Objects: a.objects}, nil
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: fields}
}

func TestNamespaceBehindUnavailableAPI(t *testing.T) {
	t.Parallel()
	api := apiServices{objects: []*unstructured.Unstructured{
		object(t, `{"metadata": {"name": "v1."}, "spec": {}, "status": {"conditions": [{"type": "Available", "status": "True"}]}}`),
		object(t, `{"metadata": {"name": "v1beta1.metrics.example.com"}, "spec": {"service": {"namespace": "kube-system", "name": "metrics"}},
			"status": {"conditions": [{"type": "Available", "status": "False", "reason": "ServiceNotFound"}]}}`),
	}}
	namespace := object(t, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "deletionTimestamp": "2026-11-25T10:00:00Z"},
		"spec": {"finalizers": ["kubernetes", "example.com/projects"]}, "status": {"conditions": [
			{"type": "NamespaceDeletionDiscoveryFailure", "status": "True", "reason": "DiscoveryFailed", "message": "Discovery failed."},
			{"type": "NamespaceContentRemaining", "status": "False"}]}}`)
	got := Of(t.Context(), api, namespace)
	const want = "it still has the finalizer example.com/projects; NamespaceDeletionDiscoveryFailure=True (DiscoveryFailed): Discovery failed; " +
		"the APIService v1beta1.metrics.example.com is not available (service kube-system/metrics)"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("ending (-want +got):\n%s", diff)
	}
	if got.Finalizers[0].IsRemovable {
		t.Error("a finalizer in the spec of a namespace is removable")
	}
}

func TestRemovableFinalizers(t *testing.T) {
	t.Parallel()
	definition := object(t, `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": {"name": "widgets.example.com", "finalizers": ["customresourcecleanup.apiextensions.k8s.io", "example.com/a"]}}`)
	got := Of(t.Context(), apiServices{}, definition)
	want := []cluster.Finalizer{{Name: "customresourcecleanup.apiextensions.k8s.io"}, {Name: "example.com/a", IsRemovable: true}}
	if diff := cmp.Diff(want, got.Finalizers); diff != "" {
		t.Errorf("finalizers (-want +got):\n%s", diff)
	}
}
