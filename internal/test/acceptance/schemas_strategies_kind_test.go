package acceptance_test

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// sampleKind is a kind of which one object carries a field for each of the strategies.
type sampleKind struct {
	target, id string
	strategies []strategy
	// ours is the part of the manifest that every configuration of ours has, theirs the part that every
	// other creator's has, and patch what leads to the fields in a patch.
	ours, theirs, patch string
	// forgetsEmpty is true if the server keeps no empty maps and lists, as for built-in kinds.
	forgetsEmpty bool
	// install defines the kind; nil if it is built in.
	install func(*story.Story)
}

// samples returns the kind Sample, in a group of the story's own.
func samples() sampleKind {
	const identity = `{"apiVersion": "NS.example.com/v1", "kind": "Sample", "metadata": {"name": "one", "namespace": "NS"}, "spec": {SPEC}}`
	return sampleKind{
		target:     "NS.example.com/v1 Sample one",
		id:         "apiVersion=NS.example.com/v1,kind=Sample,namespace=NS,name=one",
		strategies: specStrategies(),
		ours:       strings.Replace(identity, "SPEC", `"note": "ours"`, 1),
		theirs:     strings.Replace(identity, "SPEC", "", 1),
		patch:      "{}",
		install:    installSamples,
	}
}

// sampleDefinition defines the kind Sample, with the schema of each strategy.
func sampleDefinition() string {
	fields := map[string]shape{"note": aString}
	for _, s := range specStrategies() {
		fields[s.name] = s.shape
	}
	return customresource.Definition("NS.example.com", "Sample", "spec: {type: object, properties: {"+properties(fields)+"}}")
}

// installSamples defines the kind and waits until the server knows its schema. It is gone after the story.
func installSamples(s *story.Story) {
	s.T.Helper()
	kind := samples()
	s.InstallKind(sampleDefinition())
	sample := s.Parse(kind.ours)
	group, version, _ := strings.Cut(sample.GetAPIVersion(), "/")
	objects := s.Dynamic.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: "samples"}).Namespace(s.Namespace)
	s.Await("the server knows the schema of Sample", func() bool {
		_, err := objects.Apply(s.T.Context(), sample.GetName(), sample, metav1.ApplyOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err == nil
	})
}

// values are the values of strategies by name; a missing one is left out of the object.
type values map[string]any

// each returns the value that pick gives each strategy.
func (k sampleKind) each(pick func(strategy) any) values {
	all := values{}
	for _, s := range k.strategies {
		if value := pick(s); value != nil {
			all[s.name] = value
		}
	}
	return all
}

// body returns base with values, as JSON, which is YAML.
func (k sampleKind) body(base string, all values) string {
	var object map[string]any
	if err := json.Unmarshal([]byte(base), &object); err != nil {
		return err.Error()
	}
	k.fill(object, all)
	return story.AsJSON(object)
}

// fill sets the values in an object.
func (k sampleKind) fill(object map[string]any, all values) {
	for _, s := range k.strategies {
		if value, has := all[s.name]; has {
			s.holder(object)[s.name] = value
		}
	}
}

// holder returns the map that holds the field, which is made where it is missing.
func (s strategy) holder(object map[string]any) map[string]any {
	for _, name := range s.parents {
		next := object[name]
		if items, isList := next.([]any); isList {
			next = items[0]
		}
		fields, isMap := next.(map[string]any)
		if !isMap {
			fields = map[string]any{}
			object[name] = fields
		}
		object = fields
	}
	return object
}
