package moving

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// hashicorpKubernetes is the provider of the resources kubernetes_*.
const hashicorpKubernetes = "hashicorp/kubernetes"

// metadata is the block metadata.
type metadata []struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// of returns the object that the block names, of the given kind.
func (m metadata) of(apiVersion, kind string) (manifest.Identity, error) {
	if len(m) != 1 {
		return manifest.Identity{}, errors.New("it has no block metadata")
	}
	return manifest.Identity{APIVersion: apiVersion, Kind: kind, Namespace: m[0].Namespace, Name: m[0].Name}, nil
}

// target holds the attributes of a resource that can apply to objects of any kind.
type target struct {
	APIVersion   string   `json:"api_version"`
	Kind         string   `json:"kind"`
	Metadata     metadata `json:"metadata"`
	FieldManager string   `json:"field_manager"`
}

// moved returns the Moved of a resource that applied body.
func (t target) moved(body map[string]any) (Moved, error) {
	object, err := t.Metadata.of(t.APIVersion, t.Kind)
	if err == nil && t.FieldManager == "" {
		err = errors.New("it has no field_manager")
	}
	if err != nil {
		return Moved{}, err
	}
	text, err := yaml.Marshal(body)
	return Moved{Object: object, Body: string(text), FieldManager: t.FieldManager}, err
}

func decode[T any](document []byte) (T, error) {
	var state T
	err := json.Unmarshal(document, &state)
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		err = fmt.Errorf("%s is a JSON %s", wrong.Field, wrong.Value)
	}
	return state, err
}

// at returns maps nested by fields, the outermost first, with value in the innermost.
func at(value any, fields ...string) map[string]any {
	for _, field := range slices.Backward(fields) {
		value = map[string]any{field: value}
	}
	object, _ := value.(map[string]any)
	return object
}

// inPodTemplate returns what at returns, with fields inside the pod template of a kind.
func inPodTemplate(kind string, value any, fields ...string) map[string]any {
	body := at(value, append([]string{"spec", "template"}, fields...)...)
	if kind == "CronJob" {
		return at(body, "spec", "jobTemplate")
	}
	return body
}
