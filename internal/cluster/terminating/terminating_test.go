package terminating

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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

func TestNamespaceBehindUnavailableAPIError(t *testing.T) {
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

// shop is a cluster with pods and nodes.
type shop struct {
	apiServices
	nodes map[string]*unstructured.Unstructured
}

func (s shop) Get(_ context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	switch node := s.nodes[id.Name]; {
	case id.Name == "hidden":
		return nil, &cluster.Error{Reason: cluster.ReasonForbidden, Object: id}
	case node == nil:
		return nil, &cluster.Error{Reason: cluster.ReasonNotFound, Object: id}
	default:
		return node, nil
	}
}

// A namespace names the pods that it waits for, with their nodes, if its conditions do not speak of something else.
func TestPodsOfLostNodes(t *testing.T) {
	t.Parallel()
	const node = `{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n"}, "status": {"conditions": [
		{"type": "MemoryPressure", "status": "Unknown"}, {"type": "Ready", "status": "STATUS", "lastTransitionTime": "2026-11-25T09:00:00Z"}]}}`
	api := shop{nodes: map[string]*unstructured.Unstructured{
		"off": object(t, strings.Replace(node, "STATUS", "Unknown", 1)), "sick": object(t, strings.Replace(node, "STATUS", "False", 1)),
		"well": object(t, strings.Replace(node, "STATUS", "True", 1)),
	}}
	pod := func(name, node, more string) {
		api.objects = append(api.objects, object(t, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "`+name+`"`+more+`}, "spec": {"nodeName": "`+node+`"}}`))
	}
	const ends = `, "deletionTimestamp": "2026-11-25T10:00:00Z"`
	for _, name := range strings.Split("gfedcba", "") {
		pod(name, "off", ends)
	}
	pod("x", "sick", ends)
	pod("y", "well", ends)
	pod("z", "gone", ends)
	pod("u", "hidden", ends)
	pod("stays", "off", "")
	pod("held", "off", ends+`, "finalizers": ["example.com/a"]`)
	pod("sixth", "node", ends)
	pod("pending", "", ends)
	const namespace = `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "deletionTimestamp": "2026-11-25T10:00:00Z"},
		"spec": {"finalizers": ["kubernetes"]}, "status": {"conditions": [CONDITIONS]}}`
	const want = "the pod z is on the node gone, which does not exist; the pod u is on the node hidden; " +
		"the pods a, b, c, d, e and 3 more are on the node off, which does not answer (Ready=Unknown since 2026-11-25T09:00:00Z); " +
		"the pod x is on the node sick, which does not answer (Ready=False since 2026-11-25T09:00:00Z); " +
		"the pod y is on the node well"
	const remaining = `{"type": "NamespaceContentRemaining", "status": "True", "message": "Some resources are remaining: `
	for conditions, want := range map[string]string{
		"":                               want,
		remaining + `pods. has 9"}`:      want + "; NamespaceContentRemaining=True: Some resources are remaining: pods. has 9",
		remaining + `parts.x.io has 1"}`: "NamespaceContentRemaining=True: Some resources are remaining: parts.x.io has 1",
	} {
		got := Of(t.Context(), api, object(t, strings.Replace(namespace, "CONDITIONS", conditions, 1))).String()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ending (-want +got):\n%s", diff)
		}
	}
	const itself = "the pod x is on the node sick, which does not answer (Ready=False since 2026-11-25T09:00:00Z)"
	if got := Of(t.Context(), api, api.objects[7]).String(); got != itself {
		t.Errorf("a pod: %s", got)
	}
}
