package validation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/validation"
)

// answer returns the server's refusal of an object; nil for none.
func answer(s *story.Story, object map[string]any) error {
	s.T.Helper()
	live := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	text, err := live.MarshalJSON()
	story.Must(s.T, err)
	_, err = s.ResourceOf(live).Patch(s.T.Context(), live.GetName(), types.ApplyPatchType, text, metav1.PatchOptions{
		FieldManager: "oracle", FieldValidation: metav1.FieldValidationStrict, DryRun: []string{metav1.DryRunAll}, Force: new(true),
	})
	if apierrors.IsServiceUnavailable(err) || apierrors.IsTimeout(err) {
		s.T.Fatal(err)
	}
	return err
}

// refusal returns what the server says against an object; "" for nothing.
func refusal(s *story.Story, object map[string]any) string {
	s.T.Helper()
	if err := answer(s, object); err != nil {
		return err.Error()
	}
	return ""
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
		if problems, has := unfitIn(s.T, folder, located.Object); !has || len(problems) > 0 {
			s.T.Errorf("%s: false alarm: %t, %v", located, has, problems)
		}
		for _, m := range mutations(located.Object) {
			problems, _ := unfitIn(s.T, folder, m.object)
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
	folder := validation.Export(s)
	// Objects of built-in kinds with many of the fields that the schemas require.
	kinds, err := os.ReadFile(filepath.Join("testdata", "kinds.yaml"))
	story.Must(t, err)
	served := servedKinds(t)
	for _, text := range strings.Split(string(kinds), "\n---\n") {
		name, _, _ := strings.Cut(text[strings.Index(text, "kind: ")+len("kind: "):], "\n")
		version, _, _ := strings.Cut(strings.TrimPrefix(text, "apiVersion: "), "\n")
		t.Run(name, func(t *testing.T) {
			if _, is := served[version+" "+name]; !is {
				t.Skip("this Kubernetes version does not serve the kind")
			}
			compare(story.New(t), folder, text)
		})
	}
}

// Mistakes are found with the schemas of the server, enums of built-in kinds among them.
func TestValidationFindsMistakes(t *testing.T) {
	folder := validation.Export(story.New(t))
	expectFound(t, folder, planted)
	expectFound(t, folder, plantedEnums)
}

// A custom resource of everything that a structural schema may have.
func TestValidationOfCustomResources(t *testing.T) {
	s := story.New(t)
	s.InstallKind(strings.ReplaceAll(definitionOfShops, "GROUP", "NS.example.com"))
	s.AwaitPublished("Shop")
	compare(s, validation.Export(s), `apiVersion: NS.example.com/v1
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
