package story

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
)

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
