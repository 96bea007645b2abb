package moving

import "maps"

// Labels reads kubernetes_labels.
var Labels = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_labels",
	Read: func(source State) (Moved, error) {
		state, err := decode[struct {
			target
			Labels map[string]string `json:"labels"`
		}](source.JSON)
		if err != nil {
			return Moved{}, err
		}
		return state.moved(textsAt(state.Labels, "metadata", "labels"))
	}}

// Annotations reads kubernetes_annotations.
var Annotations = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_annotations",
	Read: func(source State) (Moved, error) {
		state, err := decode[struct {
			target
			Annotations map[string]string `json:"annotations"`
			Template    map[string]string `json:"template_annotations"`
		}](source.JSON)
		if err != nil {
			return Moved{}, err
		}
		body := textsAt(state.Annotations, "metadata", "annotations")
		if len(state.Template) > 0 {
			maps.Copy(body, inPodTemplate(state.Kind, values(state.Template), "metadata", "annotations"))
		}
		return state.moved(body)
	}}

// ConfigMapData reads kubernetes_config_map_v1_data.
var ConfigMapData = Source{Provider: hashicorpKubernetes, TypeName: "kubernetes_config_map_v1_data",
	Read: func(source State) (Moved, error) {
		state, err := decode[struct {
			target
			Data map[string]string `json:"data"`
		}](source.JSON)
		if err != nil {
			return Moved{}, err
		}
		state.APIVersion, state.Kind = "v1", "ConfigMap"
		return state.moved(textsAt(state.Data, "data"))
	}}

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
	Read: func(source State) (Moved, error) {
		state, err := decode[struct {
			target
			Taint []struct {
				Key    string `json:"key"`
				Value  string `json:"value"`
				Effect string `json:"effect"`
			} `json:"taint"`
		}](source.JSON)
		if err != nil {
			return Moved{}, err
		}
		taints := make([]any, len(state.Taint))
		for i, taint := range state.Taint {
			taints[i] = nonEmpty(map[string]string{"key": taint.Key, "value": taint.Value, "effect": taint.Effect})
		}
		state.APIVersion, state.Kind = "v1", "Node"
		return state.moved(at(taints, "spec", "taints"))
	}}
