package largeobjects

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
)

// fields is a part of an object.
type fields = map[string]any

// text returns an object as YAML, as generators write it.
func text(object fields) string {
	encoded, _ := yaml.Marshal(object) // All objects here can be encoded.
	return string(encoded)
}

// ConfigMap returns the manifest of a ConfigMap named web with that many keys. The value of the key note is note; each
// other value has about that many bytes.
func ConfigMap(keys, bytes int, note string) string {
	data := fields{"note": note}
	for i := 1; i < keys; i++ {
		setting := fmt.Sprintf("setting %d of the application, ", i)
		data[fmt.Sprintf("%04d.settings", i)] = strings.Repeat(setting, bytes/len(setting))
	}
	return text(fields{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "web", "namespace": "NS"}, "data": data,
	})
}

// Roster returns the manifest of a Roster named one with that many members. note is the role of the first one.
// RosterDefinition defines the kind.
func Roster(members int, note string) string {
	list := make([]any, members)
	for i := range list {
		list[i] = fields{"name": fmt.Sprintf("member-%04d", i), "role": "reader", "weight": i}
	}
	list[0] = fields{"name": "member-0000", "role": note, "weight": 0}
	return text(fields{
		"apiVersion": "NS.example.com/v1", "kind": "Roster", "metadata": fields{"name": "one", "namespace": "NS"},
		"spec": fields{"members": list},
	})
}

// RosterDefinition defines the kind Roster. Each member of a Roster has its own owners.
var RosterDefinition = customresource.Definition("NS.example.com", "Roster", `
spec:
  type: object
  properties:
    members:
      type: array
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [name]
      items:
        type: object
        required: [name]
        properties:
          name: {type: string}
          role: {type: string}
          weight: {type: integer}
`)

// Deployment returns the manifest of a Deployment named web, whose container has that many variables. note is the value
// of the first one.
func Deployment(variables int, note string) string {
	env := make([]any, variables)
	for i := range env {
		env[i] = fields{"name": fmt.Sprintf("VARIABLE_%04d", i), "value": fmt.Sprintf("value %d", i)}
	}
	env[0] = fields{"name": "VARIABLE_0000", "value": note}
	labels := fields{"app": "web"}
	return text(fields{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": fields{"name": "web", "namespace": "NS"},
		"spec": fields{
			"replicas": 1, "selector": fields{"matchLabels": labels},
			"template": fields{
				"metadata": fields{"labels": labels},
				"spec":     fields{"containers": []any{fields{"name": "app", "image": "nginx:1.25", "env": env}}},
			},
		},
	})
}
