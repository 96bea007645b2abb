package story

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
)

// Manager is another writer to the story's objects, with its own field manager.
type Manager struct {
	*Story
	name string
}

// As returns a Manager that writes under a field manager's name.
func (s *Story) As(name string) Manager { return Manager{Story: s, name: name} }

// Create creates an object as kubectl create does, under the manager's name instead of kubectl-create.
func (m Manager) Create(body string) *unstructured.Unstructured {
	m.T.Helper()
	object := m.Parse(body)
	created, err := m.ResourceOf(object).Create(m.T.Context(), object, metav1.CreateOptions{FieldManager: m.name})
	Must(m.T, err)
	return created
}

// CreateUntilEnd does what Create does, and removes the object after the test: for objects without a namespace.
func (m Manager) CreateUntilEnd(body string) {
	m.T.Helper()
	object := m.Create(body)
	m.T.Cleanup(func() {
		client := m.ResourceOf(object)
		_ = client.Delete(context.WithoutCancel(m.T.Context()), object.GetName(), metav1.DeleteOptions{})
	})
}

// ApplyClientSide creates an object as kubectl apply does: with the last-applied annotation.
func (m Manager) ApplyClientSide(body string) *unstructured.Unstructured {
	m.T.Helper()
	object := m.Parse(body)
	text, err := object.MarshalJSON()
	Must(m.T, err)
	object.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": string(text)})
	created, err := m.ResourceOf(object).Create(m.T.Context(), object, metav1.CreateOptions{FieldManager: m.name})
	Must(m.T, err)
	return created
}

// Apply sends a forced server-side apply.
func (m Manager) Apply(body string) *unstructured.Unstructured {
	m.T.Helper()
	object := m.Parse(body)
	applied, err := m.ResourceOf(object).Apply(m.T.Context(), object.GetName(), object,
		metav1.ApplyOptions{FieldManager: m.name, Force: true})
	Must(m.T, err)
	return applied
}

// Patch sends a merge patch, as kubectl edit and kubectl annotate do. target is "apps/v1 Deployment web", or "apps/v1
// Deployment other/web" for a namespace other than the story's.
func (m Manager) Patch(target, patch string, subresources ...string) {
	m.T.Helper()
	client, name := m.find(target)
	_, err := client.Patch(m.T.Context(), name, types.MergePatchType,
		[]byte(m.Expand(patch)), metav1.PatchOptions{FieldManager: m.name}, subresources...)
	Must(m.T, err)
}

// Put sends a full update, like a program that reads an object, changes it and writes it back.
func (m Manager) Put(target string, change func(object map[string]any)) {
	m.T.Helper()
	client, _ := m.find(target)
	Must(m.T, retry.RetryOnConflict(retry.DefaultRetry, func() error { // A controller may write in between.
		object := m.Live(target)
		change(object.Object)
		_, err := client.Update(m.T.Context(), object, metav1.UpdateOptions{FieldManager: m.name})
		return err
	}))
}

// JSONPatch sends a JSON patch, as admission webhooks and some controllers do.
func (m Manager) JSONPatch(target, patch string) {
	m.T.Helper()
	m.patchAs(types.JSONPatchType, target, patch)
}

// StrategicPatch sends a strategic merge patch, as kubectl patch does for built-in kinds.
func (m Manager) StrategicPatch(target, patch string) {
	m.T.Helper()
	m.patchAs(types.StrategicMergePatchType, target, patch)
}

func (m Manager) patchAs(kind types.PatchType, target, patch string) {
	m.T.Helper()
	client, name := m.find(target)
	_, err := client.Patch(m.T.Context(), name, kind, []byte(m.Expand(patch)),
		metav1.PatchOptions{FieldManager: m.name})
	Must(m.T, err)
}

// StripManagedFields makes the server forget every owner. entries is "[{}]" or "[]".
func (m Manager) StripManagedFields(target, entries string) {
	m.T.Helper()
	m.JSONPatch(target, `[{"op": "replace", "path": "/metadata/managedFields", "value": `+entries+`}]`)
	if left := m.Live(target).GetManagedFields(); len(left) > 0 {
		m.T.Fatalf("%s still has managedFields: %v", target, left)
	}
}

// Scale sends the request of kubectl scale.
func (m Manager) Scale(target string, replicas int) {
	m.T.Helper()
	m.Patch(target, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas), "scale")
}

// Remove deletes an object as "kubectl delete" does, which does not wait for what it owns. The server's own default
// keeps a Job until its pods are orphaned.
func (m Manager) Remove(target string) {
	m.T.Helper()
	client, name := m.find(target)
	policy := metav1.DeletePropagationBackground
	Must(m.T, client.Delete(m.T.Context(), name, metav1.DeleteOptions{PropagationPolicy: &policy}))
}
