package ssa

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// stub is a Cluster for tests of what the use cases do after an answer. What a server answers is not
// tested with it. A call that a test does not expect has no function and panics.
type stub struct {
	Cluster
	get     func() (*unstructured.Unstructured, error)
	apply   func(ApplyOptions) (Applied, error)
	replace func(resourceVersion string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error)
}

func (stub) Scope(context.Context, string, string) (Scope, error) { return ScopeNamespaced, nil }

func (stub) DefaultNamespace() string { return "shop" }

func (stub) NamespaceSource() NamespaceSource { return NamespaceOfContext }

func (s stub) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	return s.get()
}

func (s stub) Apply(_ context.Context, _ manifest.Identity, _ map[string]any, opts ApplyOptions) (Applied, error) {
	return s.apply(opts)
}

func (s stub) ReplaceManagedFields(_ context.Context, _ manifest.Identity, _, resourceVersion string,
	entries []metav1.ManagedFieldsEntry, _ ...Edit,
) (*unstructured.Unstructured, error) {
	return s.replace(resourceVersion, entries)
}

var config = manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}

const configBody = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: \"1\", b: \"2\"}\n"

// intending returns the intent of a ConfigMap with fields a and b.
func intending(t *testing.T, ignore ...string) Intent {
	t.Helper()
	parsed, err := manifest.Parse(configBody)
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := paths.ParseAll(ignore)
	if err != nil {
		t.Fatal(err)
	}
	return Intent{Manifest: parsed, Ignore: patterns, FieldManager: "k8sconnect"}
}

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
	return &Error{Reason: reason, Object: config, Message: "the server said " + string(reason)}
}
