package largeobjects

import (
	"fmt"
	"maps"
)

// Definition returns a CustomResourceDefinition of the size and depth of the largest that people run: three
// versions of a kind whose schema has pod templates, with a description of each field. It is over 1 MB as
// YAML. The note is a label.
func Definition(note string) string {
	var versions []any
	for _, name := range []string{"v1alpha1", "v1beta1", "v1"} {
		versions = append(versions, fields{
			"name": name, "served": true, "storage": name == "v1",
			"schema": fields{"openAPIV3Schema": fields{"type": "object", "properties": fields{
				"apiVersion": fields{"type": "string"}, "kind": fields{"type": "string"},
				"metadata": fields{"type": "object"},
				"spec": object("workflow", fields{
					"podTemplate": pod(), "templates": keyedList("name", pod()), "onExit": pod(),
				}),
			}}},
		})
	}
	return text(fields{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": fields{
			"name": "workflows.NS.example.com", "labels": fields{"note": note, "team": "shop", "tier": "front"},
		},
		"spec": fields{
			"group": "NS.example.com", "scope": "Namespaced", "versions": versions,
			"names": fields{
				"plural": "workflows", "singular": "workflow", "kind": "Workflow", "listKind": "WorkflowList",
			},
		},
	})
}

// described returns a schema with a description of the usual length.
func described(schema fields, what string) fields {
	schema["description"] = "The " + what + " of this object. If it is not set, the value of the enclosing template " +
		"is used.\n" +
		"More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/kubernetes-objects/#" + what
	return schema
}

func object(what string, properties fields) fields {
	return described(fields{"type": "object", "properties": properties}, what)
}

func mapOf(schema fields) fields {
	return fields{"type": "object", "additionalProperties": schema}
}

func atomicList(schema fields) fields {
	return fields{"type": "array", "x-kubernetes-list-type": "atomic", "items": schema}
}

// keyedList returns the schema of a list of objects whose items are identified by one field.
func keyedList(key string, item fields) fields {
	properties, _ := item["properties"].(fields)
	properties[key] = fields{"type": "string"}
	item["required"] = []any{key}
	return fields{
		"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{key}, "items": item,
	}
}

// scalars returns fields of the scalar types.
func scalars(names ...string) fields {
	properties := fields{}
	for i, name := range names {
		schema := fields{"type": []string{"string", "integer", "boolean"}[i%3]}
		if i%3 == 1 {
			schema["format"] = "int32"
		}
		properties[name] = described(schema, name)
	}
	return properties
}

func with(properties, further fields) fields {
	maps.Copy(properties, further)
	return properties
}

func selector() fields {
	return object("selector", fields{
		"matchLabels": mapOf(fields{"type": "string"}),
		"matchExpressions": atomicList(object("requirement", with(scalars("key"), fields{
			"operator": fields{"type": "string"}, "values": atomicList(fields{"type": "string"}),
		}))),
	})
}

func probe() fields {
	return object("probe", with(scalars("failure", "period", "success", "command", "timeout", "initial", "host", "port",
		"scheme"), fields{
		"headers": atomicList(object("header", scalars("name", "value"))),
	}))
}

func container() fields {
	reference := func() fields { return object("reference", scalars("name", "key", "optional")) }
	return object("container", with(scalars("image", "gid", "tty", "workingDir", "uid", "stdin", "policy", "level",
		"once"), fields{
		"args": atomicList(fields{"type": "string"}),
		"env": keyedList("name", object("variable", with(scalars("value"), fields{
			"valueFrom": object("source", fields{
				"configMap": reference(), "field": reference(), "resource": reference(), "secret": reference(),
			}),
		}))),
		"livenessProbe": probe(), "readinessProbe": probe(), "startupProbe": probe(),
		"lifecycle": object("lifecycle", fields{"postStart": probe(), "preStop": probe()}),
		"limits": mapOf(fields{
			"anyOf":                      []any{fields{"type": "integer"}, fields{"type": "string"}},
			"x-kubernetes-int-or-string": true,
		}),
		"mounts": keyedList("path", object("mount", scalars("volume", "order", "readOnly", "subPath"))),
	}))
}

func pod() fields {
	term := func() fields {
		return object("term", with(scalars("topologyKey", "weight"),
			fields{"selector": selector(), "namespaces": selector()}))
	}
	sources := fields{}
	for i := range 12 {
		source := fmt.Sprintf("source%d", i)
		sources[source] = object(source,
			with(scalars("name", "mode", "readOnly", "type", "partition"), fields{"selector": selector()}))
	}
	return object("pod", with(scalars("host", "priority", "preemption", "scheduler", "grace", "token"), fields{
		"containers": keyedList("name", container()), "initContainers": keyedList("name", container()),
		"affinity": object("affinity", fields{
			"node": object("nodeAffinity", fields{"preferred": atomicList(term()), "required": atomicList(term())}),
			"pod":  object("podAffinity", fields{"preferred": atomicList(term()), "required": atomicList(term())}),
		}),
		"volumes": keyedList("name", object("volume", sources)),
	}))
}
