package moving

import (
	"errors"
	"maps"
)

// Labels reads kubernetes_labels.
var Labels = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_labels",
	Read: reading(func(state struct {
		target
		Labels map[string]string `json:"labels"`
	}) (Moved, error) {
		return state.moved(textsAt(state.Labels, "metadata", "labels"))
	})}

// Annotations reads kubernetes_annotations.
var Annotations = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_annotations",
	Read: reading(func(state struct {
		target
		Annotations map[string]string `json:"annotations"`
		Template    map[string]string `json:"template_annotations"`
	}) (Moved, error) {
		body := textsAt(state.Annotations, "metadata", "annotations")
		if len(state.Template) > 0 {
			maps.Copy(body, inPodTemplate(state.Kind, values(state.Template), "metadata", "annotations"))
		}
		return state.moved(body)
	})}

// ConfigMapData reads kubernetes_config_map_v1_data.
var ConfigMapData = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_config_map_v1_data",
	Read: reading(func(state struct {
		target
		Data map[string]string `json:"data"`
	}) (Moved, error) {
		state.APIVersion, state.Kind = "v1", "ConfigMap"
		return state.moved(textsAt(state.Data, "data"))
	})}

// textsAt returns strings nested by fields; an empty object without any string.
func textsAt(texts map[string]string, fields ...string) map[string]any {
	if len(texts) == 0 {
		return map[string]any{}
	}
	return at(values(texts), fields...)
}

func values(texts map[string]string) map[string]any {
	out := make(map[string]any, len(texts))
	for name, text := range texts {
		out[name] = text
	}
	return out
}

// NodeTaint reads kubernetes_node_taint. For the API server, the taints of a node are one field. The state of the
// resource contains all taints, including those that other managers set.
var NodeTaint = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_node_taint",
	Read: reading(func(state struct {
		target
		Taint []struct {
			Key    string `json:"key"`
			Value  string `json:"value"`
			Effect string `json:"effect"`
		} `json:"taint"`
	}) (Moved, error) {
		taints := make([]any, len(state.Taint))
		for i, taint := range state.Taint {
			taints[i] = nonEmpty(map[string]string{"key": taint.Key, "value": taint.Value, "effect": taint.Effect})
		}
		state.APIVersion, state.Kind = "v1", "Node"
		return state.moved(at(taints, "spec", "taints"))
	})}

// Env reads kubernetes_env.
var Env = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_env", Read: reading(func(state struct {
	target
	Container     string     `json:"container"`
	InitContainer string     `json:"init_container"`
	Env           []variable `json:"env"`
}) (Moved, error) {
	list, container := "containers", state.Container
	if state.InitContainer != "" {
		list, container = "initContainers", state.InitContainer
	}
	if container == "" {
		return Moved{}, errors.New("it names no container")
	}
	env := make([]any, len(state.Env))
	for i, v := range state.Env {
		env[i] = v.item()
	}
	return state.moved(inPodTemplate(state.Kind, []any{map[string]any{"name": container, "env": env}}, "spec", list))
})}

// variable is an env block.
type variable struct {
	Name      string `json:"name"`
	Value     string `json:"value"`
	ValueFrom []struct {
		ConfigMapKeyRef []keyRef `json:"config_map_key_ref"`
		SecretKeyRef    []keyRef `json:"secret_key_ref"`
		FieldRef        []struct {
			APIVersion string `json:"api_version"`
			FieldPath  string `json:"field_path"`
		} `json:"field_ref"`
		ResourceFieldRef []struct {
			ContainerName string `json:"container_name"`
			Divisor       string `json:"divisor"`
			Resource      string `json:"resource"`
		} `json:"resource_field_ref"`
	} `json:"value_from"`
}

// keyRef is a key of a ConfigMap or a Secret. The resource applies optional even if its configuration does not set it.
type keyRef struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Optional bool   `json:"optional"`
}

func (k keyRef) object() map[string]any {
	ref := nonEmpty(map[string]string{"key": k.Key, "name": k.Name})
	ref["optional"] = k.Optional
	return ref
}

// item returns the item of a container's env. It leaves out an empty value, which the API server does not store.
func (v variable) item() map[string]any {
	item := nonEmpty(map[string]string{"name": v.Name, "value": v.Value})
	for _, from := range v.ValueFrom {
		source := map[string]any{}
		for _, ref := range from.ConfigMapKeyRef {
			source["configMapKeyRef"] = ref.object()
		}
		for _, ref := range from.SecretKeyRef {
			source["secretKeyRef"] = ref.object()
		}
		for _, ref := range from.FieldRef {
			source["fieldRef"] = nonEmpty(map[string]string{"apiVersion": ref.APIVersion, "fieldPath": ref.FieldPath})
		}
		for _, ref := range from.ResourceFieldRef {
			source["resourceFieldRef"] = nonEmpty(map[string]string{
				"containerName": ref.ContainerName, "divisor": ref.Divisor, "resource": ref.Resource,
			})
		}
		item["valueFrom"] = source
	}
	return item
}

// nonEmpty returns an object with the fields whose string is not empty.
func nonEmpty(fields map[string]string) map[string]any {
	object := map[string]any{}
	for name, text := range fields {
		if text != "" {
			object[name] = text
		}
	}
	return object
}
