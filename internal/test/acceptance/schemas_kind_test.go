package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// schemaFields are the schemas of the fields of a Gizmo's spec, in flow style, by name.
type schemaFields map[string]string

// gizmos returns the definition of the kind Gizmo in a group of the story's own. Every schema has a field of
// its own, the mark, by which the moment is seen from which the server uses it.
func gizmos(mark string, specs schemaFields) string {
	names := make([]string, 0, len(specs))
	for name, text := range specs {
		names = append(names, name+": "+text)
	}
	slices.Sort(names)
	return customresource.Definition("NS.example.com", "Gizmo", `
spec:
  type: object
  properties:
    note: {type: string}
    `+mark+`: {type: string}
    `+strings.Join(names, "\n    "))
}

// installGizmos defines the kind and waits until it is served. It is gone after the story.
func installGizmos(s *story.Story, specs schemaFields) {
	s.T.Helper()
	s.InstallKind(gizmos("installed", specs))
	awaitSchema(s, "installed")
}

// changeSchema gives the kind other schemas and waits until the server uses them. The objects that are
// there stay as they are in the store.
func changeSchema(s *story.Story, specs schemaFields) {
	s.T.Helper()
	changed := s.Parse(gizmos("changed", specs))
	s.As("kubectl-edit").Put("apiextensions.k8s.io/v1 CustomResourceDefinition "+changed.GetName(), func(live map[string]any) {
		live["spec"] = changed.Object["spec"]
	})
	awaitSchema(s, "changed")
}

// awaitSchema dry-runs the apply of a throw-away object until its managedFields have the mark.
func awaitSchema(s *story.Story, mark string) {
	s.T.Helper()
	probe := s.Parse(gizmo("probe", mark+": here"))
	objects := s.Dynamic.Resource(schema.GroupVersionResource{
		Group: s.Expand("NS.example.com"), Version: "v1", Resource: "gizmos",
	}).Namespace(s.Namespace)
	deadline := time.Now().Add(90 * time.Second)
	var last error
	for time.Now().Before(deadline) {
		var answer *unstructured.Unstructured
		answer, last = objects.Apply(s.T.Context(), "probe", probe,
			metav1.ApplyOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		if last == nil && strings.Contains(fmt.Sprint(answer.Object["metadata"]), "f:"+mark) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.T.Fatalf("the server never used the schema with the field %s: %v", mark, last)
}

// gizmo returns a Gizmo with this spec, in flow style.
func gizmo(name, spec string) string {
	return "{apiVersion: NS.example.com/v1, kind: Gizmo, metadata: {name: " + name + ", namespace: NS}, spec: {" + spec + "}}"
}

func gizmoTarget(s *story.Story, name string) string {
	return s.Expand("NS.example.com/v1 Gizmo " + name)
}
