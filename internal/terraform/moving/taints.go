package moving

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
			taints[i] = texts(map[string]string{"key": taint.Key, "value": taint.Value, "effect": taint.Effect})
		}
		state.APIVersion, state.Kind = "v1", "Node"
		return state.moved(at(taints, "spec", "taints"))
	}}
