package acceptance_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// exportSchemas writes the schemas of the control plane into a folder, as a user does.
func exportSchemas(s *story.Story) openapi.Folder {
	s.T.Helper()
	folder := filepath.Join(s.T.TempDir(), "schemas")
	file := s.File("kubeconfig-schemas", s.Kubeconfig(story.ControlPlane().RESTConfig()), 0o600)
	var out, errs strings.Builder
	if code := command.Run(s.T.Context(), []string{"--kubeconfig", file, "--out", folder}, &out, &errs); code != 0 {
		s.T.Fatalf("exit code %d: %s%s", code, out.String(), errs.String())
	}
	return openapi.Folder(folder)
}

// unfitIn returns what does not fit in an object; nil, false without a schema.
func unfitIn(s *story.Story, in openapi.Folder, object map[string]any) ([]openapi.Problem, bool) {
	s.T.Helper()
	m, err := manifest.Of(runtime.DeepCopyJSON(object))
	story.Must(s.T, err)
	kind, err := in.Kind(schema.FromAPIVersionAndKind(m.APIVersion, m.Kind))
	story.Must(s.T, err)
	if kind == nil {
		return nil, false
	}
	return kind.Check(m.Object, openapi.Whole), true
}

// Objects of whole projects, and those of the examples, fit the schemas of the server that takes them.
func TestValidationAcceptsWhatTheServerAccepts(t *testing.T) {
	s := story.New(t)
	folder := exportSchemas(s)
	texts := map[string]string{"monitoring": s.Expand(monitoring().text()), "operators": s.Expand(operators().text())}
	for _, pattern := range []string{"*/*.yaml", "*/*/*.yaml"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", pattern))
		story.Must(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			story.Must(t, err)
			texts[file] = string(text)
		}
	}
	checked := 0
	for name, text := range texts {
		all, err := manifest.ParseAll(text)
		if err != nil {
			continue // A template, or a file that is something else.
		}
		for _, located := range all {
			problems, has := unfitIn(s, folder, located.Object)
			if has {
				checked++
			}
			for _, p := range problems {
				t.Errorf("%s: %s: %s: %s", name, located, p.Field, p.Text)
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d objects were checked", checked)
	}
}

// mutation is an object with one change.
type mutation struct {
	what   string
	object map[string]any
}

// mutations returns an object once without each of its fields, once with another type in it, once with an unknown field
// beside it and once with each item of a list twice.
func mutations(object map[string]any) []mutation {
	var all []mutation
	var visit func(value any, at string, set func(root map[string]any, value any, remove bool))
	root := func() map[string]any { return runtime.DeepCopyJSON(object) }
	note := func(what string, change func(root map[string]any)) {
		changed := root()
		change(changed)
		all = append(all, mutation{what, changed})
	}
	visit = func(value any, at string, set func(map[string]any, any, bool)) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if at == "" && slices.Contains([]string{"apiVersion", "kind"}, name) || at == ".metadata" && name != "labels" {
					continue
				}
				inner := func(to map[string]any, replacement any, remove bool) {
					parent := runtime.DeepCopyJSON(value)
					if parent[name] = replacement; remove {
						delete(parent, name)
					}
					set(to, parent, false)
				}
				if at != "" || name != "metadata" {
					note(at+"."+name+" is missing", func(to map[string]any) { inner(to, nil, true) })
				}
				visit(value[name], at+"."+name, inner)
			}
			note(at+".surplus is there", func(to map[string]any) {
				parent := runtime.DeepCopyJSON(value)
				parent["surplus"] = "x"
				set(to, parent, false)
			})
			if at != "" && at != ".metadata" {
				note(at+" is a text", func(to map[string]any) { set(to, "x", false) })
			}
		case []any:
			for i := range value {
				inner := func(to map[string]any, replacement any, _ bool) {
					list := runtime.DeepCopyJSONValue(value).([]any)
					list[i] = replacement
					set(to, list, false)
				}
				visit(value[i], fmt.Sprintf("%s[%d]", at, i), inner)
			}
			if len(value) > 0 {
				note(at+" has its first item twice", func(to map[string]any) {
					list := runtime.DeepCopyJSONValue(value).([]any)
					set(to, append(list, list[0]), false)
				})
			}
			note(at+" is a map", func(to map[string]any) { set(to, map[string]any{"a": "b"}, false) })
		case string:
			note(at+" is a number", func(to map[string]any) { set(to, int64(7), false) })
			note(at+" is another text", func(to map[string]any) { set(to, "Any thing!", false) })
			note(at+" is empty", func(to map[string]any) { set(to, "", false) })
			note(at+" is a list", func(to map[string]any) { set(to, []any{"x"}, false) })
		default:
			note(at+" is a text", func(to map[string]any) { set(to, "x", false) })
			note(at+" is a fraction", func(to map[string]any) { set(to, 1.5, false) })
			note(at+" is negative", func(to map[string]any) { set(to, int64(-1), false) })
			note(at+" is a map", func(to map[string]any) { set(to, map[string]any{"a": "b"}, false) })
		}
	}
	visit(object, "", func(to map[string]any, value any, _ bool) {
		if fields, is := value.(map[string]any); is {
			clear(to)
			maps.Copy(to, fields)
		}
	})
	return all
}

// refusal returns what the server says against an object; "" for nothing.
func refusal(s *story.Story, object map[string]any) string {
	s.T.Helper()
	live := &unstructured.Unstructured{Object: object}
	text, err := live.MarshalJSON()
	story.Must(s.T, err)
	_, err = s.ResourceOf(live).Patch(s.T.Context(), live.GetName(), types.ApplyPatchType, text, metav1.PatchOptions{
		FieldManager: "oracle", FieldValidation: metav1.FieldValidationStrict, DryRun: []string{metav1.DryRunAll}, Force: new(true),
	})
	if err == nil {
		return ""
	}
	if apierrors.IsServiceUnavailable(err) || apierrors.IsTimeout(err) {
		s.T.Fatal(err)
	}
	return err.Error()
}

// isAboutSchema reports whether the server refuses an object because of its schema, apart from what only it knows.
func isAboutSchema(said string) bool {
	for _, words := range []string{"field not declared in schema", "expected map", "expected list", "expected string", "expected numeric", "expected boolean", "duplicate entries"} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// compare compares the validation of all mutations of objects with the server's own.
func compare(s *story.Story, folder openapi.Folder, text string) {
	s.T.Helper()
	all, err := manifest.ParseAll(s.Expand(text))
	story.Must(s.T, err)
	for _, located := range all {
		if said := refusal(s, runtime.DeepCopyJSON(located.Object)); said != "" {
			s.T.Errorf("%s is no good example: %s", located, said)
			continue
		}
		if problems, has := unfitIn(s, folder, located.Object); !has || len(problems) > 0 {
			s.T.Errorf("%s: false alarm: %t, %v", located, has, problems)
		}
		for _, m := range mutations(located.Object) {
			problems, _ := unfitIn(s, folder, m.object)
			said := refusal(s, m.object)
			switch {
			case len(problems) > 0 && said == "":
				s.T.Errorf("%s: %s: false alarm: %v", located, m.what, problems)
			case len(problems) == 0 && isAboutSchema(said):
				s.T.Errorf("%s: %s: not found: %s", located, m.what, said)
			}
		}
	}
}

// What validation says against an object, the server refuses; and what the server refuses because of fields, types and
// items that are there twice, validation finds.
func TestValidationAgreesWithTheServer(t *testing.T) {
	s := story.New(t)
	folder := exportSchemas(s)
	// Objects of built-in kinds with many of the fields that the schemas require.
	kinds, err := os.ReadFile(filepath.Join("testdata", "validation", "kinds.yaml"))
	story.Must(t, err)
	for _, text := range strings.Split(string(kinds), "\n---\n") {
		name, _, _ := strings.Cut(text[strings.Index(text, "kind: ")+len("kind: "):], "\n")
		t.Run(name, func(t *testing.T) {
			compare(story.New(t), folder, text)
		})
	}
}

// A custom resource of everything that a structural schema may have.
func TestValidationOfCustomResources(t *testing.T) {
	s := story.New(t)
	s.InstallKind(strings.ReplaceAll(definitionOfShops, "GROUP", "NS.example.com"))
	s.AwaitPublished("Shop")
	compare(s, exportSchemas(s), `apiVersion: NS.example.com/v1
kind: Shop
metadata: {name: a, namespace: NS, labels: {a: b}}
spec:
  name: abc
  port: 80%
  target: 80
  step: 1.5
  note: a
  free: {x: {y: 1}, a: {b: {c: [1]}, d: e}}
  pod: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {x: 1}}
  labels: {x: "1"}
  any: {x: 1, y: {z: [a]}}
  tags: [a, b]
  ports: [{port: 1}, {port: 1, protocol: UDP}]
  plain: [{a: b}]
  source: {git: a}
  deep: {list: [{keep: {a: 1, known: {num: 1}}, "on": true}]}
  secret: aGFsbG8=
`)
}

const definitionOfShops = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.GROUP}
spec:
  group: GROUP
  scope: Namespaced
  names: {plural: shops, singular: shop, kind: Shop, listKind: ShopList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [name, mode]
            maxProperties: 16
            properties:
              name: {type: string, minLength: 2, pattern: "^[a-z]+$", allOf: [{maxLength: 5}]}
              mode: {type: string, enum: ["on", "off"], default: "on"}
              port: {x-kubernetes-int-or-string: true, pattern: "^[0-9]+%$"}
              target: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
              step: {type: number, multipleOf: 0.5, minimum: 0}
              note: {type: string, nullable: true}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: object, x-kubernetes-preserve-unknown-fields: true}, d: {type: string}}}}}
              pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              labels: {type: object, additionalProperties: {type: string}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
              tags: {type: array, items: {type: string}, x-kubernetes-list-type: set, minItems: 1, maxItems: 3}
              ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port, protocol], items: {type: object, required: [port], properties: {port: {type: integer, minimum: 1}, protocol: {type: string, default: TCP}}}}
              plain: {type: array, items: {type: object, properties: {a: {type: string}}}}
              source: {type: object, oneOf: [{required: [git]}, {required: [oci]}], not: {required: [old]}, properties: {git: {type: string}, oci: {type: string}, old: {type: string}}}
              deep: {type: object, properties: {list: {type: array, items: {type: object, properties: {"on": {type: boolean}, keep: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {known: {type: object, required: [num], properties: {num: {type: integer}}}}}}}}}}
              secret: {type: string, format: byte}
`
