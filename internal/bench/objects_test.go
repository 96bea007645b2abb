package main

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Each kind of the mixture is one document that says what the object says of itself.
func TestManifests(t *testing.T) {
	t.Parallel()
	for i := range samples {
		o := object{Index: i, Namespace: "shop", Revision: "7"}
		text, err := o.manifest()
		must(t, err)
		var parsed unstructured.Unstructured
		must(t, yaml.UnmarshalStrict([]byte(text), &parsed.Object))
		if parsed.GetName() != o.Name() || parsed.GetNamespace() != "shop" || parsed.GetLabels()["revision"] != "7" {
			t.Errorf("%s is\n%s", o.Name(), text)
		}
	}
}

// A tenth of the objects drifts, with all kinds in it.
func TestDrifts(t *testing.T) {
	t.Parallel()
	kinds := map[int]int{}
	for i := range 1000 {
		if o := (object{Index: i}); o.drifts() {
			kinds[i%len(samples)]++
		}
	}
	for kind := range samples {
		if kinds[kind] != 10 {
			t.Errorf("%d of 100 objects of the kind %s drift, want 10", kinds[kind], samples[kind].resource.Resource)
		}
	}
}
