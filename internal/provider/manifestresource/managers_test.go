package manifestresource_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// manager is somebody else who writes to the story's objects under a field manager's name.
type manager struct {
	*story
	name string
}

func (s *story) as(name string) manager { return manager{story: s, name: name} }

// create returns kubectl create (manager kubectl-create) under any name.
func (m manager) create(body string) *unstructured.Unstructured {
	m.t.Helper()
	object := m.parse(body)
	created, err := m.resourceOf(object).Create(m.t.Context(), object, metav1.CreateOptions{FieldManager: m.name})
	must(m.t, err)
	return created
}

// applyClientSide creates an object as kubectl apply does: with the last-applied annotation.
func (m manager) applyClientSide(body string) *unstructured.Unstructured {
	m.t.Helper()
	object := m.parse(body)
	text, err := object.MarshalJSON()
	must(m.t, err)
	object.SetAnnotations(map[string]string{"kubectl.kubernetes.io/last-applied-configuration": string(text)})
	created, err := m.resourceOf(object).Create(m.t.Context(), object, metav1.CreateOptions{FieldManager: m.name})
	must(m.t, err)
	return created
}

// apply returns a forced server-side apply.
func (m manager) apply(body string) *unstructured.Unstructured {
	m.t.Helper()
	object := m.parse(body)
	applied, err := m.resourceOf(object).Apply(m.t.Context(), object.GetName(), object,
		metav1.ApplyOptions{FieldManager: m.name, Force: true})
	must(m.t, err)
	return applied
}

// patch is a merge patch, as kubectl edit or annotate send it. target is "apps/v1 Deployment web", or
// "apps/v1 Deployment other/web" for a namespace that is not the story's.
func (m manager) patch(target, patch string, subresources ...string) {
	m.t.Helper()
	client, name := m.find(target)
	_, err := client.Patch(m.t.Context(), name, types.MergePatchType,
		[]byte(m.expand(patch)), metav1.PatchOptions{FieldManager: m.name}, subresources...)
	must(m.t, err)
}

// put is a full update, as a program sends it that reads an object, changes it and writes it back.
func (m manager) put(target string, change func(object map[string]any)) {
	m.t.Helper()
	client, _ := m.find(target)
	object := m.live(target)
	change(object.Object)
	_, err := client.Update(m.t.Context(), object, metav1.UpdateOptions{FieldManager: m.name})
	must(m.t, err)
}

// jsonPatch is a JSON patch, as admission webhooks and some controllers send it.
func (m manager) jsonPatch(target, patch string) {
	m.t.Helper()
	m.patchAs(types.JSONPatchType, target, patch)
}

// strategicPatch is a strategic merge patch, as kubectl patch sends it to built-in kinds.
func (m manager) strategicPatch(target, patch string) {
	m.t.Helper()
	m.patchAs(types.StrategicMergePatchType, target, patch)
}

func (m manager) patchAs(kind types.PatchType, target, patch string) {
	m.t.Helper()
	client, name := m.find(target)
	_, err := client.Patch(m.t.Context(), name, kind, []byte(m.expand(patch)), metav1.PatchOptions{FieldManager: m.name})
	must(m.t, err)
}

// stripManagedFields makes the server forget every owner. entries is "[{}]" or "[]".
func (m manager) stripManagedFields(target, entries string) {
	m.t.Helper()
	m.jsonPatch(target, `[{"op": "replace", "path": "/metadata/managedFields", "value": `+entries+`}]`)
	if left := m.live(target).GetManagedFields(); len(left) > 0 {
		m.t.Fatalf("%s still has managedFields: %v", target, left)
	}
}

// scale is kubectl scale.
func (m manager) scale(target string, replicas int) {
	m.t.Helper()
	m.patch(target, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas), "scale")
}

// remove deletes an object behind everybody's back.
func (m manager) remove(target string) {
	m.t.Helper()
	client, name := m.find(target)
	must(m.t, client.Delete(m.t.Context(), name, metav1.DeleteOptions{}))
}
