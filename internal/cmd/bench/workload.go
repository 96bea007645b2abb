package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/template"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/largeobjects"
)

// workload is a set of objects that grows with its size.
type workload struct {
	// Name is what the size counts, and the name of the flag for the sizes.
	Name  string
	usage string
	// least is the smallest size that makes sense.
	least int
	// single is true if the size is the size of one object, and not a number of objects.
	single bool
	// samples describe the objects: object i is like samples[i % len(samples)].
	samples []sample
	// definition is the CustomResourceDefinition that the objects need, for a namespace; "" for none.
	definition string
}

// sample is a kind of object.
type sample struct {
	resource schema.GroupVersionResource
	manifest func(object) (string, error)
	// name is the name of the live object if it differs from the resource's.
	name string
	// revision is a JSON pointer to the field that holds the object's revision.
	revision string
}

var workloads = []workload{
	{Name: "objects", usage: "numbers of objects, with spaces between them", least: len(mixture), samples: mixture},
	{
		Name: "items", usage: "lengths of the list in an object, with spaces between them", least: 1, single: true,
		samples: []sample{roster}, definition: largeobjects.RosterDefinition,
	},
	{
		Name: "keys", usage: "numbers of keys of a ConfigMap, with spaces between them, to 6000", least: 1,
		single:  true,
		samples: []sample{largeConfigMap},
	},
}

// The large objects: one with a list in which each item has its own owners, and a ConfigMap.
var (
	roster = sample{
		resource: schema.GroupVersionResource{Group: "NS.example.com", Version: "v1", Resource: "rosters"},
		manifest: func(o object) (string, error) {
			return placed(largeobjects.Roster(o.Size, o.Revision), o.Namespace), nil
		},
		name:     "one",
		revision: "/spec/members/0/role",
	}
	largeConfigMap = sample{
		resource: resourceV1("", "configmaps"),
		manifest: func(o object) (string, error) {
			return placed(largeobjects.ConfigMap(o.Size, bytesPerKey, o.Revision), o.Namespace), nil
		},
		name:     "web",
		revision: "/data/note",
	}
)

// bytesPerKey is the size of a value: with 6000 keys, the ConfigMap is nearly as large as etcd accepts.
const bytesPerKey = 140

// placed returns a string with NS replaced by a namespace. The group of a kind contains NS, too.
func placed(text, namespace string) string { return strings.ReplaceAll(text, "NS", namespace) }

// count returns the number of objects.
func (w workload) count(size int) int {
	if w.single {
		return 1
	}
	return size
}

// objects returns size objects, or one object of that size, in a namespace.
func (w workload) objects(size int, namespace string) []object {
	objects := make([]object, w.count(size))
	for i := range objects {
		objects[i] = object{
			sample: w.samples[i%len(w.samples)], Index: i, Size: size, Namespace: namespace, Revision: "1",
		}
	}
	return objects
}

// object is one object that every contender manages.
type object struct {
	sample
	Index int
	// Size is the size of the workload: a single object grows with it.
	Size int
	// Namespace is the contender's own.
	Namespace string
	// Revision is the value of the field that an update changes.
	Revision string
}

// client returns a client for objects of the kind in the namespace.
func (o object) client(clients dynamic.Interface) dynamic.ResourceInterface {
	resource := o.resource
	resource.Group = placed(resource.Group, o.Namespace)
	return clients.Resource(resource).Namespace(o.Namespace)
}

// Name returns the name of the resource, and of an object of the mixture.
func (o object) Name() string { return fmt.Sprintf("object-%04d", o.Index) }

// liveName returns the name of the object on the cluster.
func (o object) liveName() string { return cmp.Or(o.name, o.Name()) }

// File returns the path of its manifest in a contender's directory.
func (o object) File() string { return "manifests/" + o.Name() + ".yaml" }

// isFirst reports whether the object is the first of its workload.
func (o object) isFirst() bool { return o.Index == 0 }

// drifts reports whether other managers change the object: a tenth of the objects, with all kinds among them.
func (o object) drifts() bool { return o.Index/len(mixture)%10 == o.Index%len(mixture)%10 }

// templated returns a function that makes the manifest of an object from a template.
func templated(text string) func(object) (string, error) {
	parsed := template.Must(template.New("manifest").Parse(text))
	return func(o object) (string, error) {
		var manifest strings.Builder
		err := parsed.Execute(&manifest, o)
		return manifest.String(), err
	}
}
