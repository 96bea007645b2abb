package ssa

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// stub is a Cluster for tests of what the use cases do after an answer. What a server answers is not
// tested with it. A call that a test does not expect has no function and panics.
type stub struct {
	Interface
	onGet   func() (*unstructured.Unstructured, error)
	onApply func(ApplyOptions) (Applied, error)
	onPatch func(resourceVersion string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error)
}

func (stub) Scope(context.Context, string, string) (Scope, error) { return ScopeNamespaced, nil }

func (stub) DefaultNamespace() string { return "shop" }

func (stub) NamespaceSource() NamespaceSource { return NamespaceOfContext }

func (s stub) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	return s.onGet()
}

func (s stub) Apply(_ context.Context, _ manifest.Identity, _ map[string]any, opts ApplyOptions) (Applied, error) {
	return s.onApply(opts)
}

func (s stub) ReplaceManagedFields(_ context.Context, _ manifest.Identity, _, resourceVersion string,
	entries []metav1.ManagedFieldsEntry, _ ...Edit,
) (*unstructured.Unstructured, error) {
	return s.onPatch(resourceVersion, entries)
}

var configMap = manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}

const configBody = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: \"1\", b: \"2\"}\n"

func owning(fields string) []metav1.ManagedFieldsEntry {
	return []metav1.ManagedFieldsEntry{{
		Manager: "k8sconnect", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1",
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields),
	}}
}

// updating returns an entry that somebody else's update left.
func updating(manager, fields string) metav1.ManagedFieldsEntry {
	entry := owning(fields)[0]
	entry.Manager, entry.Operation = manager, metav1.ManagedFieldsOperationUpdate
	return entry
}

// live returns the ConfigMap as a server would hold it.
func live(uid, resourceVersion string, entries []metav1.ManagedFieldsEntry) *unstructured.Unstructured {
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

func failing(reason Reason) *Error {
	return &Error{Reason: reason, Object: configMap, Message: "the server said " + string(reason)}
}
