package faults_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const us = "k8sconnect"

// operation is what a cell does with its object, a ConfigMap.
type operation struct {
	name string
	// before and after are the configurations of the resource; nil without one.
	before, after *config
	// created is what kubectl creates instead of before.
	created string
	// way is how the fields of a patch are sent, and target what kubectl creates before it.
	way    way
	target string
	// other managers write once the object is there, meanwhile between the plan and the apply.
	others, meanwhile []write
	// want is the data of the object after the operation, nil if it is gone, and owners are who holds fields then.
	want   map[string]string
	owners map[string][]string
	// between is the data where the operation has done the first of two writes.
	between map[string]string
	// told are the fields whose values the operation takes from other managers, who have to be named, and added are the
	// added_fields of a patch in the end.
	told  map[string]string
	added []string
	// held is true if a finalizer holds the object for a while when it is deleted.
	held bool
	// stays is true if a destroy leaves the object, without claims of ours.
	stays bool
}

// config is the configuration of one resource.
type config struct {
	data      string
	ignore    []string
	manager   string
	onDestroy string
}

// write is a merge patch of another client.
type write struct {
	manager string
	patch   string
}

var (
	// red is an object whose field "left" is ignored.
	red = &config{data: "{colour: red, size: '1', left: initial}", ignore: []string{"data.left"}}
	// theirs are values of other managers that no operation may touch.
	theirs = []write{{"editor", `{"data":{"left":"theirs","note":"theirs"}}`}}
)

// redWith returns the data of an object that was red, after theirs.
func redWith(colour, size string) map[string]string {
	return map[string]string{"colour": colour, "size": size, "left": "theirs", "note": "theirs"}
}

// operations are all that is done to objects of our own and to those of others.
var operations = slices.Concat(objects, patches)

// objects are what is done to objects of our own.
var objects = []operation{
	{
		name:   "create",
		after:  &config{data: "{colour: red}"},
		want:   map[string]string{"colour": "red"},
		owners: map[string][]string{"data.colour": {us}},
	},
	{
		name:   "create-ignoring",
		after:  red,
		want:   map[string]string{"colour": "red", "size": "1", "left": "initial"},
		owners: map[string][]string{"data.colour": {us}, "data.left": nil},
	},
	{
		name: "read", before: red, after: red, others: theirs,
		want:   redWith("red", "1"),
		owners: map[string][]string{"data.colour": {us}, "data.left": {"editor"}},
	},
	{
		name: "update", before: red, others: theirs,
		after:  &config{data: "{colour: blue, size: '1', left: initial}", ignore: red.ignore},
		want:   redWith("blue", "1"),
		owners: map[string][]string{"data.colour": {us}, "data.left": {"editor"}},
	},
	{
		name: "release", before: red, others: theirs,
		after:  &config{data: "{colour: red}", ignore: []string{"data.left", "data.size"}},
		want:   redWith("red", "1"),
		owners: map[string][]string{"data.colour": {us}, "data.size": nil, "data.left": {"editor"}},
	},
	{
		name: "rename", before: red, others: theirs,
		after:  &config{data: red.data, ignore: red.ignore, manager: "renamed"},
		want:   redWith("red", "1"),
		owners: map[string][]string{"data.colour": {"renamed"}, "data.left": {"editor"}},
	},
	{
		name: "take-over", before: red,
		others: append([]write{{"kubectl-create", `{"data":{"shape":"round","taste":"sweet"}}`}}, theirs...),
		after:  &config{data: "{colour: red, size: '1', left: initial, shape: round}", ignore: red.ignore},
		want:   map[string]string{"colour": "red", "size": "1", "left": "theirs", "note": "theirs", "shape": "round", "taste": "sweet"},
		owners: map[string][]string{"data.shape": {us}, "data.taste": {"kubectl-create"}, "data.left": {"editor"}},
	},
	{
		name: "overwrite", before: red, others: theirs,
		after:     &config{data: "{colour: red, size: '2', left: initial}", ignore: red.ignore},
		meanwhile: []write{{"editor", `{"data":{"colour":"green"}}`}},
		want:      redWith("red", "2"),
		owners:    map[string][]string{"data.colour": {us}, "data.left": {"editor"}},
		told:      map[string]string{"data.colour": "editor"},
	},
	{name: "delete", before: red, others: theirs},
	{
		name: "leave", before: &config{data: red.data, ignore: red.ignore, onDestroy: "release"}, others: theirs, stays: true,
		want:   redWith("red", "1"),
		owners: map[string][]string{"data.colour": nil, "data.size": nil, "data.left": {"editor"}},
	},
	{
		name: "delete-held", before: red, held: true,
		others: append([]write{{"guardian", `{"metadata":{"finalizers":["example.com/hold"]}}`}}, theirs...),
	},
	{
		name: "import", created: "{colour: red, size: '1', note: theirs}",
		after:  &config{data: "{colour: red, size: '2'}"},
		want:   map[string]string{"colour": "red", "size": "2", "note": "theirs"},
		owners: map[string][]string{"data.colour": {us}, "data.size": {us}, "data.note": {"kubectl-create"}},
	},
}

// body returns the manifest of an object.
func body(namespace, name, data string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\ndata: %s\n", name, namespace, data)
}

func identity(namespace, name string) manifest.Identity {
	return manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: namespace, Name: name}
}

// isPatch reports whether the operation is one of k8sconnect_patch.
func (o operation) isPatch() bool { return o.way != byObject }

// phase is the command in which a request is sent.
type phase string

const (
	planning phase = "plan"
	applying phase = "apply"
)

// cell is one operation on an object of its own, with one fault to one of its requests.
type cell struct {
	operation
	arm
	phase phase
}

// object returns the name of the cell's object and its key in the configuration: it says what the cell is.
func (c cell) object() string {
	if c.phase == "" {
		return c.name
	}
	return strings.NewReplacer(" /", "-").Replace(fmt.Sprintf("%s.%s-%d.%s.%s.%s", c.name, c.phase, c.at, c.expected, c.fault.name, c.duration))
}
