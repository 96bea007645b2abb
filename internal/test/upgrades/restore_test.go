package upgrades

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// restorer is the manager that creates the objects, until it hands its fields to the managers of the recording.
const restorer = "restorer"

// restore creates an object as it was recorded, with the same owners of the same fields, and returns its uid.
func restore(t *testing.T, api client.Client, recorded *unstructured.Unstructured) types.UID {
	t.Helper()
	live := recorded.DeepCopy()
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
		unstructured.RemoveNestedField(live.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(live.Object, "status")
	create(t, api, live)
	settle(t, api, live)
	if hasOurStatus(recorded) {
		live.Object["status"] = recorded.DeepCopy().Object["status"]
		story.Must(t, api.Status().Update(t.Context(), live, client.FieldOwner(restorer)))
	}
	owners := recorded.GetManagedFields()
	if len(owners) == 0 {
		owners = []metav1.ManagedFieldsEntry{} // Null would keep those of the create.
	}
	patch, err := json.Marshal([]map[string]any{{"op": "replace", "path": "/metadata/managedFields", "value": owners}})
	story.Must(t, err)
	story.Must(t, api.Patch(t.Context(), live, client.RawPatch(types.JSONPatchType, patch), client.FieldOwner(restorer)))
	if diff := cmp.Diff(sharedParts(t, recorded), sharedParts(t, live)); diff != "" {
		t.Fatalf("%s %s is not what was recorded (-recorded +restored):\n%s", recorded.GetKind(), recorded.GetName(), diff)
	}
	return live.GetUID()
}

// hasOurStatus reports whether the status has fields of a patch.
func hasOurStatus(recorded *unstructured.Unstructured) bool {
	return slices.ContainsFunc(recorded.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Subresource == "status" && strings.HasPrefix(entry.Manager, story.Us)
	})
}

// create waits for the kind, whose definition may have come a moment before.
func create(t *testing.T, api client.Client, object *unstructured.Unstructured) {
	t.Helper()
	var err error
	for range 600 {
		attempt := object.DeepCopy()
		if err = api.Create(t.Context(), attempt, client.FieldOwner(restorer)); err == nil {
			*object = *attempt
			return
		}
		if !meta.IsNoMatchError(err) && !apierrors.IsNotFound(err) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("create %s %s: %v", object.GetKind(), object.GetName(), err)
}

// settle waits until the controllers have seen the object: a definition is established, a Deployment observed.
func settle(t *testing.T, api client.Client, live *unstructured.Unstructured) {
	t.Helper()
	settled := func() bool { return true }
	switch live.GetKind() {
	case "CustomResourceDefinition":
		settled = func() bool { return hasCondition(live, "Established") }
	case "Deployment":
		settled = func() bool {
			seen, _, _ := unstructured.NestedInt64(live.Object, "status", "observedGeneration")
			return seen == live.GetGeneration() && hasCondition(live, "Progressing")
		}
	}
	for range 300 {
		if settled() {
			return
		}
		time.Sleep(100 * time.Millisecond)
		story.Must(t, api.Get(t.Context(), client.ObjectKeyFromObject(live), live))
	}
	t.Fatalf("%s %s does not settle", live.GetKind(), live.GetName())
}

func hasCondition(live *unstructured.Unstructured, name string) bool {
	conditions, _, _ := unstructured.NestedSlice(live.Object, "status", "conditions")
	for _, condition := range conditions {
		if c, is := condition.(map[string]any); is && c["type"] == name {
			return true
		}
	}
	return false
}

// sharedParts returns what a recorded object and a restored one share: all but what each cluster assigns.
func sharedParts(t *testing.T, object *unstructured.Unstructured) map[string]any {
	t.Helper()
	kept := object.DeepCopy()
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
		unstructured.RemoveNestedField(kept.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(kept.Object, "status")
	managers := map[string]string{}
	for _, entry := range object.GetManagedFields() {
		managers[fmt.Sprintf("%s %s %s %s", entry.Manager, entry.Operation, entry.APIVersion, entry.Subresource)] = fieldsOf(t, entry)
	}
	kept.Object["managers"] = managers
	return kept.Object
}

// fieldsOf returns the fields of an entry outside status, which controllers write again, in one order.
func fieldsOf(t *testing.T, entry metav1.ManagedFieldsEntry) string {
	t.Helper()
	var fields map[string]any
	story.Must(t, json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields))
	delete(fields, "f:status")
	text, err := json.Marshal(fields)
	story.Must(t, err)
	return string(text)
}
