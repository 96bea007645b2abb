// Package clustertest has a cluster for tests of what the use cases do after an answer.
package clustertest

import (
	"context"
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Stub answers with its functions. It is not for tests of what a server answers. A call that a test does not expect has
// no function and panics.
type Stub struct {
	cluster.Interface
	OnGet   func() (*unstructured.Unstructured, error)
	OnApply func(cluster.ApplyOptions) (cluster.Applied, error)
	OnPatch func(resourceVersion string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error)
}

// Scope implements cluster.Interface.
func (Stub) Scope(context.Context, string, string) (cluster.Scope, error) {
	return cluster.ScopeNamespaced, nil
}

// UID implements cluster.Interface.
func (Stub) UID(context.Context, manifest.Identity) (string, error) { return "", nil }

// DefaultNamespace implements cluster.Interface.
func (Stub) DefaultNamespace() string { return "shop" }

// NamespaceSource implements cluster.Interface.
func (Stub) NamespaceSource() cluster.NamespaceSource { return cluster.NamespaceOfContext }

// Get implements cluster.Interface.
func (s Stub) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	return s.OnGet()
}

// Apply implements cluster.Interface.
func (s Stub) Apply(
	_ context.Context, _ manifest.Identity, _ map[string]any, opts cluster.ApplyOptions,
) (cluster.Applied, error) {
	return s.OnApply(opts)
}

// Patch implements cluster.Interface.
func (s Stub) Patch(_ context.Context, _ manifest.Identity, patch cluster.Patch) (*unstructured.Unstructured, error) {
	entries, _ := patch.Edits[0].Value.([]metav1.ManagedFieldsEntry)
	return s.OnPatch(patch.ResourceVersion, entries)
}

// ConfigMap is the identity of the object that the stub has.
var ConfigMap = manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}

// Secret is the identity of a Secret of that name.
var Secret = manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "web"}

// ConfigBody is a manifest of ConfigMap.
const ConfigBody = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: \"1\", b: " +
	"\"2\"}\n"

// Owning returns the entry of k8sconnect with fields, as fieldsV1.
func Owning(fields string) []metav1.ManagedFieldsEntry {
	return []metav1.ManagedFieldsEntry{{
		Manager: "k8sconnect", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1",
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(fields),
	}}
}

// Updating returns an entry that the update of another client left.
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

// Failing returns an error about ConfigMap.
func Failing(reason cluster.Reason) *cluster.Error {
	return &cluster.Error{Reason: reason, Object: ConfigMap, Message: "the server said " + string(reason)}
}

// Claims returns the claims in entries.
func Claims(t testing.TB, entries []metav1.ManagedFieldsEntry) ownership.Claims {
	t.Helper()
	claims, err := ownership.Parse(entries)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// Fields returns the fields in a string of fieldsV1.
func Fields(t testing.TB, text string) *paths.Set {
	t.Helper()
	fields, err := paths.ParseSet([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// BothFields are the fields of ConfigBody in managedFields.
const BothFields = `{"f:data":{"f:a":{},"f:b":{}}}`

// Manifest parses ConfigBody.
func Manifest(t testing.TB) manifest.Manifest {
	t.Helper()
	return Parsed(t, ConfigBody)
}

// Parsed returns the manifest that a string contains.
func Parsed(t testing.TB, body string) manifest.Manifest {
	t.Helper()
	parsed, err := manifest.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// Patterns parses patterns of ignore_fields.
func Patterns(t testing.TB, texts ...string) paths.Patterns {
	t.Helper()
	patterns, err := paths.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return patterns
}

// Object returns an object that is written in YAML, with numbers as clients decode them.
func Object(t testing.TB, text string) map[string]any {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{}
	if err := utiljson.Unmarshal(encoded, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// Frozen fails the test if value has changed at its end.
func Frozen(t testing.TB, value any) {
	t.Helper()
	before, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		after, _ := json.Marshal(value)
		if string(before) != string(after) {
			t.Errorf("the input was mutated from\n%s\nto\n%s", before, after)
		}
	})
}
