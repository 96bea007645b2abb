package owners

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// A list of objects without a list type is found wherever it is, but not below another one, which is atomic as a whole.
func TestAtomicLists(t *testing.T) {
	t.Parallel()
	const text = `
metadata: {name: routes.example.com}
spec:
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        properties:
          metadata: {properties: {a: {items: {type: object}}}}
          status: {properties: {a: {items: {type: object}}}}
          spec:
            properties:
              named: {items: {type: object, required: [name], properties: {name: {type: string}, below: {items: {type: object}}}}}
              optional: {items: {type: object, properties: {name: {type: string}}}}
              words: {items: {type: string}}
              meant: {x-kubernetes-list-type: atomic, items: {type: object}}
              typed: {x-kubernetes-list-type: map, items: {type: object, properties: {parts: {items: {type: object}}}}}
              by/name: {additionalProperties: {properties: {"it's": {items: {type: object, required: [id], properties: {id: {type: string}}}}}}}
  - name: v0
    served: false
    schema: {openAPIV3Schema: {properties: {spec: {items: {type: object}}}}}
  - name: v2
    served: true
    schema: {openAPIV3Schema: {properties: {spec: {properties: {a: {items: {type: object}}}}}}}
`
	var definition map[string]any
	if err := yaml.Unmarshal([]byte(text), &definition); err != nil {
		t.Fatal(err)
	}
	const schema = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/"
	step := func(list, key string) string {
		return `{"op":"add","path":"` + schema + list + `/x-kubernetes-list-type","value":"map"},` +
			`{"op":"add","path":"` + schema + list + `/x-kubernetes-list-map-keys","value":["` + key + `"]}`
	}
	want := []Finding{
		{
			Problem: AtomicLists, Resource: "routes.example.com", Name: "v1",
			Fields: []string{"spec.by/name.*.it's", "spec.named", "spec.optional", "spec.typed[*].parts"},
			Mend: "kubectl patch customresourcedefinitions.apiextensions.k8s.io routes.example.com --type=json -p '[" +
				step(`by~1name/additionalProperties/properties/it\u0027s`, "id") + "," + step("named", "name") + "]'",
		},
		{
			Problem: AtomicLists, Resource: "routes.example.com", Name: "v2", Fields: []string{"spec.a"},
			Mend: "# in the schema of each list, with a required field of its items as the key:\n" +
				"x-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [KEY]",
		},
	}
	if diff := cmp.Diff(want, atomicLists(definition)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
