package manifestresource_test

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// gadgets defines the kind Gadget in a group of the story's own, with every kind of list and map.
const gadgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.NS.example.com}
spec:
  group: NS.example.com
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
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
`

// installGadgets defines the kind and waits until it is served. It is gone after the story.
func (s *story) installGadgets() { s.installKind(gadgets, "gadgets") }

// installKind defines a kind in the group of the story and waits until its v1 is served.
func (s *story) installKind(text, plural string) {
	s.t.Helper()
	s.as("kubectl-create").create(text)
	definition := s.resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "")
	s.t.Cleanup(func() {
		_ = definition.Delete(context.Background(), s.expand(plural+".NS.example.com"), metav1.DeleteOptions{})
	})
	objects := s.dynamic.Resource(schema.GroupVersionResource{Group: s.expand("NS.example.com"), Version: "v1", Resource: plural})
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		served, err := s.typed.Discovery().ServerResourcesForGroupVersion(s.expand("NS.example.com/v1"))
		if err == nil && len(served.APIResources) > 0 {
			if _, err = objects.Namespace(s.namespace).List(s.t.Context(), metav1.ListOptions{}); err == nil {
				return
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatalf("%s were never served", plural)
}

// gadget is a Gadget with this spec, in flow style.
func gadget(spec string) string {
	return "{apiVersion: NS.example.com/v1, kind: Gadget, metadata: {name: one, namespace: NS}, spec: {" + spec + "}}"
}

// gadgetTarget is the target of the story's Gadget.
func (s *story) gadgetTarget() string { return s.expand("NS.example.com/v1 Gadget one") }
