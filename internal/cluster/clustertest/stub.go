package clustertest

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Stub is a Cluster for tests of what the use cases do after an answer. What a server answers is not
// tested with it. A call that a test does not expect has no function and panics.
type Stub struct {
	cluster.Interface
	OnGet   func() (*unstructured.Unstructured, error)
	OnApply func(cluster.ApplyOptions) (cluster.Applied, error)
	OnPatch func(resourceVersion string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error)
}

func (Stub) Scope(context.Context, string, string) (cluster.Scope, error) {
	return cluster.ScopeNamespaced, nil
}

func (Stub) DefaultNamespace() string { return "shop" }

func (Stub) NamespaceSource() cluster.NamespaceSource { return cluster.NamespaceOfContext }

func (s Stub) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	return s.OnGet()
}

func (s Stub) Apply(_ context.Context, _ manifest.Identity, _ map[string]any, opts cluster.ApplyOptions) (cluster.Applied, error) {
	return s.OnApply(opts)
}

func (s Stub) ReplaceManagedFields(_ context.Context, _ manifest.Identity, _, resourceVersion string,
	entries []metav1.ManagedFieldsEntry, _ ...cluster.Edit,
) (*unstructured.Unstructured, error) {
	return s.OnPatch(resourceVersion, entries)
}

var ConfigMap = manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}

const ConfigBody = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: \"1\", b: \"2\"}\n"

func Owning(fields string) []metav1.ManagedFieldsEntry {
	return []metav1.ManagedFieldsEntry{{
		Manager: "k8sconnect", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1",
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields),
	}}
}

// Updating returns an entry that somebody else's update left.
func Updating(manager, fields string) metav1.ManagedFieldsEntry {
	entry := Owning(fields)[0]
	entry.Manager, entry.Operation = manager, metav1.ManagedFieldsOperationUpdate
	return entry
}

// Live returns the ConfigMap as a server would hold it.
func Live(uid, resourceVersion string, entries []metav1.ManagedFieldsEntry) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "web", "namespace": "shop"},
		"data":     map[string]any{"a": "1", "b": "2"},
	}}
	object.SetUID(types.UID(uid))
	object.SetResourceVersion(resourceVersion)
	object.SetManagedFields(entries)
	return object
}

func Failing(reason cluster.Reason) *cluster.Error {
	return &cluster.Error{Reason: reason, Object: ConfigMap, Message: "the server said " + string(reason)}
}
