package story

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
)

// gadgets defines the kind Gadget in the story's own group, with every kind of list and map.
var gadgets = customresource.Definition("NS.example.com", "Gadget", `
spec:
  type: object
  properties:
    colours: {type: array, x-kubernetes-list-type: set, items: {type: string}}
    ports: {type: array, x-kubernetes-list-type: set, items: {type: integer}}
    steps: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}
    routes:
      type: array
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [host, port]
      items:
        type: object
        required: [host]
        properties:
          host: {type: string}
          port: {type: integer, default: 80}
          weight: {type: integer}
    limits: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
    size: {type: integer, format: int64}
    sizes: {type: array, x-kubernetes-list-type: atomic, items: {type: integer, format: int64}}
    ratio: {type: number}
    note: {type: string, nullable: true}
    free: {type: object, x-kubernetes-preserve-unknown-fields: true}
    nest: {type: object, additionalProperties: {type: object, properties: {b: {type: integer}}}}
`)

// InstallGadgets defines the kind and waits until it is served. The definition is removed after the story.
func (s *Story) InstallGadgets() { s.InstallKind(gadgets) }

// InstallKind defines a kind in the group of the story and waits until its v1 is served. The definition is removed
// after the story.
func (s *Story) InstallKind(text string) {
	s.T.Helper()
	name := s.As("kubectl-create").Create(text).GetName()
	definition := s.Resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "")
	s.T.Cleanup(func() { _ = definition.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	plural, group, _ := strings.Cut(name, ".")
	objects := s.Dynamic.Resource(schema.GroupVersionResource{Group: group, Version: "v1", Resource: plural})
	s.Await(plural+" are served", func() bool {
		served, err := s.Typed.Discovery().ServerResourcesForGroupVersion(group + "/v1")
		if err != nil || len(served.APIResources) == 0 {
			return false
		}
		_, err = objects.Namespace(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
		return err == nil
	})
}

// AwaitPublished waits until the schema of a kind in the group of the story is published. That happens after the kind
// is served.
func (s *Story) AwaitPublished(kind string) {
	s.T.Helper()
	s.Await("the schema of "+kind+" is published", func() bool {
		documents, err := s.Typed.Discovery().OpenAPIV3().Paths()
		if err != nil {
			return false
		}
		document, published := documents[s.Expand("apis/NS.example.com/v1")]
		if !published {
			return false
		}
		text, err := document.Schema("application/json")
		return err == nil && strings.Contains(string(text), `"`+kind+`"`)
	})
}

// Gadget returns a Gadget with this spec, in flow style.
func Gadget(spec string) string {
	return "{apiVersion: NS.example.com/v1, kind: Gadget, metadata: {name: one, namespace: NS}, spec: {" + spec + "}}"
}

// GadgetTarget returns the target of the story's Gadget.
func (s *Story) GadgetTarget() string { return s.Expand("NS.example.com/v1 Gadget one") }

// WidgetDefinition defines the kind Widget in the story's own group.
var WidgetDefinition = customresource.Definition("NS.example.com", "Widget", `
spec:
  type: object
  properties:
    size: {type: integer, default: 3}
    colour:
      type: string
      x-kubernetes-validations:
        - rule: self == oldSelf
          message: colour is immutable
    shape:
      type: string
      x-kubernetes-validations:
        - rule: self == oldSelf
          message: the shape of a widget is what it is
`)

// WidgetHere is the Widget web in the namespace of the story.
const WidgetHere = `
apiVersion: NS.example.com/v1
kind: Widget
metadata: {name: web, namespace: NS}
spec: {colour: red}
`

// DropDefinition removes the story's definition if a test has left it.
func (s *Story) DropDefinition() {
	client, name := s.find("apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com")
	_ = client.Delete(context.Background(), name, metav1.DeleteOptions{})
}
