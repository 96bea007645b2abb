package manifest

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Exclusive returns the ports and the address that a Service asks for, and that no other Service can have.
func (m Manifest) Exclusive() []string {
	if m.APIVersion != "v1" || m.Kind != "Service" {
		return nil
	}
	var all []string
	add := func(field string, value any) {
		if text := fmt.Sprint(value); value != nil && text != "0" && text != "" && text != "None" {
			all = append(all, field+" "+text)
		}
	}
	spec, _, _ := unstructured.NestedMap(m.Object, "spec")
	ports, _ := spec["ports"].([]any)
	for _, item := range ports {
		port, _ := item.(map[string]any)
		add("nodePort", port["nodePort"])
	}
	add("nodePort", spec["healthCheckNodePort"])
	add("clusterIP", spec["clusterIP"])
	return all
}
