package validation_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/projects"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/validation"
)

// definedBy are projects with CustomResourceDefinitions, and with objects of these kinds.
var definedBy = []struct {
	module, version      string
	definitions, samples []string
}{
	{
		"github.com/fluxcd/kustomize-controller", "v1.9.6",
		[]string{"config/crd/bases/*.yaml"}, []string{"config/samples/kustomize_*.yaml", "config/testdata/*/*.yaml"},
	},
	{
		"github.com/cert-manager/cert-manager", "v1.21.2",
		[]string{"deploy/crds/cert-manager.io_*.yaml", "deploy/crds/acme.cert-manager.io_challenges.yaml"}, nil,
	},
	{
		"github.com/kyverno/kyverno", "v1.19.1", []string{
			"config/crds/kyverno/kyverno.io_clusterpolicies.yaml", "config/crds/kyverno/kyverno.io_updaterequests.yaml",
			"config/crds/kyverno/kyverno.io_globalcontextentries.yaml",
			"config/crds/policies.kyverno.io/policies.kyverno.io_validatingpolicies.yaml",
		}, []string{"test/best_practices/*.yaml"},
	},
	{
		"github.com/prometheus-operator/prometheus-operator", "v0.85.0", []string{
			"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
			"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
			"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
			"example/prometheus-operator-crd/monitoring.coreos.com_alertmanagers.yaml",
		}, []string{"example/user-guides/*/*.yaml"},
	},
	{
		"sigs.k8s.io/gateway-api", "v1.4.1",
		[]string{"config/crd/standard/*.yaml"}, []string{"examples/standard/*.yaml", "examples/standard/*/*.yaml"},
	},
	{
		"github.com/argoproj/argo-cd/v3", "v3.3.0",
		[]string{"manifests/crds/application-crd.yaml", "manifests/crds/appproject-crd.yaml"}, nil,
	},
	{
		"github.com/argoproj/argo-rollouts", "v1.7.2", []string{
			"manifests/crds/rollout-crd.yaml", "manifests/crds/analysis-template-crd.yaml",
			"manifests/crds/experiment-crd.yaml",
		}, []string{"examples/*.yaml"},
	},
	{
		"github.com/crossplane/crossplane", "v1.20.0", []string{
			"cluster/crds/apiextensions.crossplane.io_compositions.yaml",
			"cluster/crds/apiextensions.crossplane.io_usages.yaml",
		}, []string{"test/e2e/manifests/apiextensions/*/*/setup/composition.yaml"},
	},
	{
		"go.universe.tf/metallb", "v0.15.2",
		[]string{"config/crd/bases/*.yaml"}, []string{"configsamples/*.yaml"},
	},
	{
		"github.com/projectcontour/contour", "v1.32.0",
		[]string{"examples/contour/01-crds.yaml"}, []string{"examples/example-workload/httpproxy/*/*.yaml"},
	},
}

// definitionResource is that of CustomResourceDefinitions.
var definitionResource = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}

// objectsIn returns the objects of the files that patterns name in a module.
func objectsIn(t *testing.T, module, version string, patterns []string) []map[string]any {
	t.Helper()
	var objects []map[string]any
	for _, pattern := range patterns {
		text, err := projects.Read(t.Context(), module, version, pattern)
		story.Must(t, err)
		for _, document := range strings.Split(text, "\n---") {
			all, err := manifest.ParseAll(document)
			if err != nil {
				continue // Comments, or a file that is something else.
			}
			for _, one := range all {
				objects = append(objects, one.Object)
			}
		}
	}
	return objects
}

// defined is a kind that a project defines.
type defined struct {
	gvk          schema.GroupVersionKind
	isNamespaced bool
}

// define creates the definition, without the webhook of its conversion, and returns its kinds.
func define(s *story.Story, definition map[string]any) []defined {
	s.T.Helper()
	unstructured.RemoveNestedField(definition, "spec", "conversion")
	object := &unstructured.Unstructured{Object: definition}
	client := s.Dynamic.Resource(definitionResource)
	_, err := client.Create(s.T.Context(), object, metav1.CreateOptions{})
	story.Must(s.T, err)
	group, _, _ := unstructured.NestedString(definition, "spec", "group")
	kind, _, _ := unstructured.NestedString(definition, "spec", "names", "kind")
	scope, _, _ := unstructured.NestedString(definition, "spec", "scope")
	versions, _, _ := unstructured.NestedSlice(definition, "spec", "versions")
	var kinds []defined
	for _, version := range versions {
		if fields, is := version.(map[string]any); is && fields["served"] == true {
			gvk := schema.GroupVersionKind{Group: group, Version: fmt.Sprint(fields["name"]), Kind: kind}
			kinds = append(kinds, defined{gvk, scope == "Namespaced"})
		}
	}
	return kinds
}

// undefine deletes the definitions of kinds, and waits until their schemas are gone.
func undefine(s *story.Story, kinds map[schema.GroupVersionKind]bool, names []string) {
	s.T.Helper()
	for _, name := range names {
		story.Must(s.T, s.Dynamic.Resource(definitionResource).Delete(s.T.Context(), name, metav1.DeleteOptions{}))
	}
	s.Await("the schemas of the definitions are gone", func() bool {
		paths, err := s.Typed.Discovery().OpenAPIV3().Paths()
		for gvk := range kinds {
			if _, isThere := paths["apis/"+gvk.GroupVersion().String()]; isThere {
				return false
			}
		}
		return err == nil
	})
}

// What validation says against objects of the kinds of other projects, the server refuses; and what the server refuses
// because of the definition's schema, validation finds.
func TestValidationOfDefinitionsOfProjects(t *testing.T) {
	if os.Getenv(enabled) == "" {
		t.Skip("make test-schemas runs this test")
	}
	s := story.NewSerial(t) // The schemas of the server change when it begins and when it ends.
	var names []string
	kinds, samples := map[schema.GroupVersionKind]bool{}, map[schema.GroupVersionKind][]map[string]any{}
	defer func() { undefine(s, kinds, names) }()
	for _, project := range definedBy {
		for _, definition := range objectsIn(t, project.module, project.version, project.definitions) {
			if definition["kind"] != "CustomResourceDefinition" {
				continue
			}
			names = append(names, (&unstructured.Unstructured{Object: definition}).GetName())
			for _, one := range define(s, definition) {
				kinds[one.gvk] = one.isNamespaced
			}
		}
		for _, object := range objectsIn(t, project.module, project.version, project.samples) {
			gvk := schema.FromAPIVersionAndKind(fmt.Sprint(object["apiVersion"]), fmt.Sprint(object["kind"]))
			samples[gvk] = append(samples[gvk], object)
		}
	}
	if len(names) < 20 {
		t.Fatalf("%d definitions", len(names))
	}
	for gvk := range kinds {
		s.Await("the schema of "+gvk.String()+" is published", func() bool {
			_, err := openapi.Read(t.Context(), s.Typed.Discovery().RESTClient(), gvk)
			return err == nil
		})
	}
	folder := validation.Export(s)
	compared := tally{}
	for gvk, isNamespaced := range kinds {
		t.Run(gvk.Kind+" "+gvk.Version, func(t *testing.T) {
			resource := metav1.APIResource{Namespaced: isNamespaced}
			d := definitionsOf(s, folder, openapi.FileOf(gvk.GroupVersion()))
			objects := []map[string]any{settled(s, d.example(gvk, minimal(s, gvk, resource)))}
			for _, sample := range samples[gvk][:min(len(samples[gvk]), 6)] {
				place := minimal(s, gvk, resource)["metadata"].(map[string]any)
				metadata, _ := sample["metadata"].(map[string]any)
				maps.Copy(metadata, place)
				delete(metadata, "generateName")
				if !isNamespaced {
					delete(metadata, "namespace")
				}
				compared.samples++
				objects = append(objects, sample)
			}
			for _, object := range objects {
				compared.add(compareCustom(t, s, folder, object))
			}
		})
	}
	t.Logf("%d definitions, %d kinds: %+v", len(names), len(kinds), compared)
	if compared.samples < 20 || compared.accepted < 1000 || compared.refused < 1000 {
		t.Errorf("too few objects were compared: %+v", compared)
	}
}

// tally counts what was compared: objects of projects, and objects that the server accepted and refused.
type tally struct{ samples, accepted, refused int }

func (t *tally) add(other tally) {
	t.accepted += other.accepted
	t.refused += other.refused
}

// compareCustom compares the validation of an object and of at most a few hundred of its mutations with the server's
// own.
func compareCustom(t *testing.T, s *story.Story, folder openapi.Folder, object map[string]any) tally {
	t.Helper()
	const most = 300
	all := append([]mutation{{"as it is", object}}, mutations(object)...)
	counted := tally{}
	for i, stride := 0, len(all)/most+1; i < len(all); i += stride {
		problems, has := unfitIn(t, folder, all[i].object)
		if !has {
			t.Fatal("the kind has no schema")
		}
		err := answer(s, all[i].object)
		if err == nil {
			counted.accepted++
		} else {
			counted.refused++
		}
		switch {
		case len(problems) > 0 && err == nil:
			t.Errorf("%s: false alarm: %v", all[i].what, problems)
		case len(problems) == 0 && err != nil && isOfDefinition(err):
			t.Errorf("%s: not found: %v", all[i].what, err)
		}
	}
	return counted
}

// ofSchema matches what the server says of a value that does not fit the schema of a definition. What it says of rules
// (CEL) are the words of their authors.
var ofSchema = regexp.MustCompile(`in body (must|should)|^Required value$|^Unsupported value|^Duplicate value|must validate|^Too (many|long|few)`)

func isOfDefinition(err error) bool {
	return isAboutSchema(err.Error()) || slices.ContainsFunc(causesOf(err), func(cause metav1.StatusCause) bool {
		return ofSchema.MatchString(cause.Message)
	})
}

// settled returns an object without the fields that the server refuses.
func settled(s *story.Story, object map[string]any) map[string]any {
	s.T.Helper()
	for range 60 {
		err := answer(s, object)
		if err == nil {
			return object
		}
		before := fmt.Sprint(object)
		for _, cause := range causesOf(err) {
			object = withoutField(object, cause)
		}
		if fmt.Sprint(object) == before {
			break
		}
	}
	return object
}

// withoutField returns an object without the field of a cause, and without the one around it if the field is missing.
func withoutField(object map[string]any, cause metav1.StatusCause) map[string]any {
	changed := runtime.DeepCopyJSON(object)
	var around []map[string]any
	var names []string
	var at any = changed
	for _, step := range strings.FieldsFunc(cause.Field, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if list, is := at.([]any); is && len(list) > 0 {
			at = list[0]
			continue
		}
		fields, is := at.(map[string]any)
		if !is {
			break
		}
		around, names = append(around, fields), append(names, step)
		at = fields[step]
	}
	last := len(names) - 1
	if last > 0 && around[last][names[last]] == nil {
		last--
	}
	if last > 0 {
		delete(around[last], names[last])
	}
	return changed
}

// example returns an object of a kind that has all fields of its schema, down to some depth.
func (d definitions) example(gvk schema.GroupVersionKind, object map[string]any) map[string]any {
	for _, root := range d {
		if found, is := root.kind(); is && found == gvk {
			for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
				if !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, name) {
					object[name] = d.full(root.Properties[name], 6)
				}
			}
		}
	}
	return object
}

func (d definitions) full(of *published, depth int) any {
	at := d.resolve(of)
	value := d.value(of, "")
	object, isObject := value.(map[string]any)
	switch {
	case at == nil || depth == 0:
	case at.Type == "array":
		return []any{d.full(at.Items, depth-1)}
	case isObject && len(at.Properties) > 0:
		for _, name := range slices.Sorted(maps.Keys(at.Properties)) {
			object[name] = d.full(at.Properties[name], depth-1)
		}
	case isObject && at.values != nil:
		object["a"] = d.full(at.values, depth-1)
	case isObject && at.Keeps:
		object["any"] = map[string]any{"thing": []any{int64(1), "a"}}
	}
	return value
}
