package main

import (
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Each object of each workload is one document, with the name, the namespace and the revision that the object has.
func TestManifests(t *testing.T) {
	t.Parallel()
	for _, load := range workloads {
		for _, o := range load.objects(len(load.samples), "shop") {
			o.Revision = "7"
			text, err := o.manifest(o)
			story.Must(t, err)
			var parsed unstructured.Unstructured
			story.Must(t, yaml.UnmarshalStrict([]byte(text), &parsed.Object))
			if parsed.GetName() != o.liveName() || parsed.GetNamespace() != "shop" {
				t.Errorf("%s is\n%s", o.liveName(), text)
			}
			if got := at(parsed.Object, o.revision); got != "7" {
				t.Errorf("%s of %s is %v", o.revision, o.liveName(), got)
			}
		}
	}
}

// at returns the value that a JSON pointer without escapes points to.
func at(value any, pointer string) any {
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch container := value.(type) {
		case map[string]any:
			value = container[step]
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil {
				return err
			}
			value = container[index]
		}
	}
	return value
}

// A tenth of the objects drifts, with all kinds among them. A single object drifts.
func TestDrifts(t *testing.T) {
	t.Parallel()
	kinds := map[int]int{}
	for i := range 1000 {
		if o := (object{Index: i}); o.drifts() {
			kinds[i%len(mixture)]++
		}
	}
	for kind := range mixture {
		if kinds[kind] != 10 {
			t.Errorf("%d of 100 objects of the kind %s drift, want 10", kinds[kind], mixture[kind].resource.Resource)
		}
	}
	if !(object{Index: 0}).drifts() {
		t.Error("a single object does not drift")
	}
}
