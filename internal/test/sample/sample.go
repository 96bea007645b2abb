package sample

import (
	"embed"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// FieldManager is the field manager that applied the objects.
const FieldManager = "k8sconnect"

//go:embed testdata
var recorded embed.FS

// Pod returns a running pod of a Deployment.
func Pod() (*unstructured.Unstructured, error) { return read("pod") }

// Deployment returns a Deployment with that many containers.
func Deployment(containers int) (*unstructured.Unstructured, error) {
	object, err := read("deployment")
	if err != nil {
		return nil, err
	}
	spec, _, _ := unstructured.NestedMap(object.Object, "spec", "template", "spec")
	list, _ := spec["containers"].([]any)
	one, _ := list[0].(map[string]any)
	many := make([]any, containers)
	for i := range many {
		copied := runtime.DeepCopyJSON(one)
		copied["name"] = name(i)
		many[i] = copied
	}
	spec["containers"] = many
	if err := unstructured.SetNestedMap(object.Object, spec, "spec", "template", "spec"); err != nil {
		return nil, err
	}
	return object, repeat(object, containers, func(element paths.PathElement, i int) (paths.PathElement, bool) {
		return paths.Key(map[string]any{"name": name(i)}), paths.KeyFields(element)["name"] == "app"
	})
}

// ConfigMap returns a ConfigMap with that many keys.
func ConfigMap(keys int) (*unstructured.Unstructured, error) {
	object, err := read("configmap")
	if err != nil {
		return nil, err
	}
	value, _, _ := unstructured.NestedString(object.Object, "data", "entry")
	data := make(map[string]any, keys)
	for i := range keys {
		data[name(i)] = value
	}
	object.Object["data"] = data
	return object, repeat(object, keys, func(element paths.PathElement, i int) (paths.PathElement, bool) {
		return paths.Field(name(i)), element.FieldName != nil && *element.FieldName == "entry"
	})
}

func name(i int) string { return fmt.Sprintf("app-%04d", i) }

func read(kind string) (*unstructured.Unstructured, error) {
	text, err := recorded.ReadFile("testdata/" + kind + ".json")
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	return object, utiljson.Unmarshal(text, &object.Object)
}

// repeat replaces elements in each claim by a number of copies, which copied returns.
func repeat(
	object *unstructured.Unstructured, times int, copied func(paths.PathElement, int) (paths.PathElement, bool),
) error {
	entries := object.GetManagedFields()
	for i, entry := range entries {
		fields, err := paths.ParseSet(entry.FieldsV1.GetRawBytes())
		if err != nil {
			return err
		}
		raw, err := paths.MarshalSet(repeated(fields, times, copied))
		if err != nil {
			return err
		}
		entries[i].FieldsV1 = metav1.NewFieldsV1(string(raw))
	}
	object.SetManagedFields(entries)
	return nil
}

func repeated(fields *paths.Set, times int, copied func(paths.PathElement, int) (paths.PathElement, bool)) *paths.Set {
	out := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		for at, element := range path {
			if _, is := copied(element, 0); !is {
				continue
			}
			for i := range times {
				one := path.Copy()
				one[at], _ = copied(element, i)
				out.Insert(one)
			}
			return
		}
		out.Insert(path)
	})
	return out
}

// Encode returns an object as an API server sends it.
func Encode(object *unstructured.Unstructured) ([]byte, error) { return json.Marshal(object.Object) }

// All returns the samples of the benchmarks, by their sizes: "pod", "containers=200", "keys=2000" for instance.
func All() (map[string]*unstructured.Unstructured, error) {
	samples := map[string]*unstructured.Unstructured{}
	pod, err := Pod()
	if err != nil {
		return nil, err
	}
	samples["pod"] = pod
	for _, containers := range []int{100, 200, 1000} {
		if samples[fmt.Sprintf("containers=%d", containers)], err = Deployment(containers); err != nil {
			return nil, err
		}
	}
	for _, keys := range []int{100, 500, 1000, 2000, 5000} {
		if samples[fmt.Sprintf("keys=%d", keys)], err = ConfigMap(keys); err != nil {
			return nil, err
		}
	}
	return samples, nil
}
