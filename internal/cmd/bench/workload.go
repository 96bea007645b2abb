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

// workload is what grows with the size that is measured.
type workload struct {
	// Name is what there are so many of, and the name of the flag for the sizes.
	Name  string
	usage string
	// least is the smallest size that makes sense.
	least int
	// single says that the size is that of one object, and not a number of objects.
	single bool
	// samples are what the objects are: object number i is as samples[i modulo their number].
	samples []sample
	// definition is the CustomResourceDefinition that the objects need, for a namespace; "" for none.
	definition string
}

// sample is a kind of object.
type sample struct {
	resource schema.GroupVersionResource
	manifest func(object) (string, error)
	// name is that of the live object where it is not the resource's.
	name string
	// revision is a JSON pointer to the field that has the object's revision.
	revision string
}

// workloads are all, by the names of their flags.
var workloads = []workload{
	{Name: "objects", usage: "numbers of objects, with spaces between them", least: len(mixture), samples: mixture},
	{
		Name: "items", usage: "lengths of the list in an object, with spaces between them", least: 1, single: true,
		samples: []sample{roster}, definition: largeobjects.RosterDefinition,
	},
	{
		Name: "keys", usage: "numbers of keys of a ConfigMap, with spaces between them, to 6000", least: 1, single: true,
		samples: []sample{largeConfigMap},
	},
}

// The objects that grow: a list whose items have owners of their own, and a ConfigMap.
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

// bytesPerKey makes a ConfigMap of 6000 keys near as large as etcd takes.
const bytesPerKey = 140

// placed returns a text with a namespace instead of NS, which is in the group of a kind, too.
func placed(text, namespace string) string { return strings.ReplaceAll(text, "NS", namespace) }

// count returns the number of objects.
func (w workload) count(size int) int {
	if w.single {
		return 1
	}
	return size
}

// objects returns so many objects, or one of the size, in a namespace.
func (w workload) objects(size int, namespace string) []object {
	objects := make([]object, w.count(size))
	for i := range objects {
		objects[i] = object{sample: w.samples[i%len(w.samples)], Index: i, Size: size, Namespace: namespace, Revision: "1"}
	}
	return objects
}

// object is one of those that every contender manages.
type object struct {
	sample
	Index int
	// Size is what a single object grows with.
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

// File returns where its manifest is in a contender's directory.
func (o object) File() string { return "manifests/" + o.Name() + ".yaml" }

// drifts reports whether the object is one of the tenth that others change, which has all kinds in it.
func (o object) drifts() bool { return o.Index/len(mixture)%10 == o.Index%len(mixture)%10 }

// templated makes manifests of a template for an object.
func templated(text string) func(object) (string, error) {
	parsed := template.Must(template.New("manifest").Parse(text))
	return func(o object) (string, error) {
		var manifest strings.Builder
		err := parsed.Execute(&manifest, o)
		return manifest.String(), err
	}
}
