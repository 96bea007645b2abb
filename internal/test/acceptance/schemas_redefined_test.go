package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// redefinition is a change of a definition together with that of an object that needs it.
type redefinition struct {
	// schema and spec are those of the fields and of the object, before and after.
	schemas, specs [2]string
	// said is what the API server says of the object before the definition changes; "" if it takes it.
	said string
}

var redefinitions = map[string]redefinition{
	"a new field": {
		schemas: [2]string{"size: {type: integer}", "size: {type: integer}\n    zone: {type: string}"},
		specs:   [2]string{"size: 1", "size: 1, zone: a"},
		said:    "spec.zone",
	},
	"a wider type": {
		schemas: [2]string{"size: {type: integer}", "size: {x-kubernetes-int-or-string: true}"},
		specs:   [2]string{"size: 1", `size: "50%"`},
		said:    "expected numeric",
	},
	"a new value of an enum": {
		schemas: [2]string{"mode: {type: string, enum: [a]}", "mode: {type: string, enum: [a, b]}"},
		specs:   [2]string{"mode: a", "mode: b"},
		said:    `Unsupported value: "b"`,
	},
	"a rule that goes": {
		schemas: [2]string{
			"size: {type: integer, x-kubernetes-validations: [{rule: self < 5, message: at most five}]}",
			"size: {type: integer}",
		},
		specs: [2]string{"size: 1", "size: 9"},
		said:  "at most five",
	},
	"a field that may change from now on": {
		schemas: [2]string{
			"colour: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: colour is immutable}]}",
			"colour: {type: string}",
		},
		specs: [2]string{"colour: red", "colour: blue"},
		said:  "colour is immutable",
	},
	"a field that is not required any more": {
		schemas: [2]string{
			"size: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}",
			"size: {type: object, properties: {a: {type: string}, b: {type: string}}}",
		},
		specs: [2]string{"size: {a: one, b: two}", "size: {b: two}"},
		said:  "Required value",
	},
	"a default in an atomic list": {
		schemas: [2]string{
			"note: {type: string}\n    ports: {type: array, items: {type: object, properties: {port: {type: integer}}}}",
			"note: {type: string}\n    ports: {type: array, items: {type: object, properties: {port: {type: integer}, protocol: {type: string, default: TCP}}}}",
		},
		specs: [2]string{"ports: [{port: 80}], note: a", "ports: [{port: 80}], note: b"},
	},
	"a list that gets keys": {
		schemas: [2]string{
			"ports: {type: array, items: {type: object, properties: {port: {type: integer}, name: {type: string}}}}",
			"ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port], items: {type: object, required: [port], properties: {port: {type: integer}, name: {type: string}}}}",
		},
		specs: [2]string{"ports: [{port: 80, name: a}]", "ports: [{port: 80, name: b}]"},
	},
	"a field that goes": {
		schemas: [2]string{"size: {type: integer}\n    zone: {type: string}", "size: {type: integer}"},
		specs:   [2]string{"size: 1, zone: a", "size: 2"},
	},
}

// redefined returns the definition of the kind Gizmo and one object of it.
func redefined(s *story.Story, schema, spec string, arguments ...string) string {
	definition := customresource.Definition("NS.example.com", "Gizmo", "spec:\n  type: object\n  properties:\n    "+schema)
	return s.ProviderBlock() + s.Manifest("definition", definition) + s.Manifest("test", gizmo("one", spec), arguments...)
}

const afterDefinition = `depends_on = [k8sconnect_manifest.definition]`

// The definition of a kind and an object of it change in one apply, with depends_on and without.
func TestDefinitionAndObjectChange(t *testing.T) {
	t.Parallel()
	for name, c := range redefinitions {
		for order, arguments := range map[string][]string{"in order": {afterDefinition}, "in any order": nil} {
			t.Run(name+" "+order, func(t *testing.T) {
				s := story.New(t)
				checks := []plancheck.PlanCheck{story.ExpectAction(plancheck.ResourceActionUpdate)}
				if c.said != "" {
					checks = append(checks, s.ExpectPlanSays("Schema Not Served Yet: gizmos."+s.Namespace+".example.com", c.said))
				}
				s.Run(
					resource.TestStep{Config: redefined(s, c.schemas[0], c.specs[0], arguments...)},
					resource.TestStep{
						PreConfig:        s.NextStep(),
						Config:           redefined(s, c.schemas[1], c.specs[1], arguments...),
						ConfigPlanChecks: story.PlanChecks(checks...),
					},
				)
			})
		}
	}
}

// A schema that the same apply changes hides nothing: the plan names what the apply takes from others by the live
// object, and on_conflict = "fail" refuses that.
func TestDefinitionChangesWhatOthersOwn(t *testing.T) {
	t.Parallel()
	for name, theirs := range map[string]struct{ spec, was, becomes string }{
		"a new field":      {`{"spec":{"size":3}}`, "3", "1"},
		"a wider type":     {`{"spec":{"size":2}}`, "2", "50%"},
		"a rule that goes": {`{"spec":{"size":4}}`, "4", "9"},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := story.New(t), redefinitions[name]
			field, _, _ := strings.Cut("spec."+c.specs[0], ":")
			step := func(writes func(), checks ...plancheck.PlanCheck) resource.TestStep {
				return resource.TestStep{
					PreConfig: s.NextStep(writes), Config: redefined(s, c.schemas[1], c.specs[1]),
					ConfigPlanChecks: story.PlanChecks(checks...),
				}
			}
			write := func() { s.As("tuner").Patch(s.Expand("NS.example.com/v1 Gizmo one"), theirs.spec) }
			refused := step(write)
			refused.Config = redefined(s, c.schemas[1], c.specs[1], `on_conflict = "fail"`)
			refused.ExpectError = story.Saying("Field Ownership Conflict", field, "tuner")
			s.Run(
				resource.TestStep{Config: redefined(s, c.schemas[0], c.specs[0])},
				refused,
				step(func() {},
					s.ExpectPlanSays("Schema Not Served Yet", c.said), s.ExpectPlanSays(field, theirs.was, theirs.becomes, "tuner")),
			)
		})
	}
}

// If no resource changes the definition, a refusal is an error of the plan. A resource that only changes its labels
// does not change the definition.
func TestDefinitionStays(t *testing.T) {
	s := story.New(t)
	labelled := func(config string) string {
		return strings.Replace(config, "metadata: {name: gizmos", "metadata: {labels: {a: b}, name: gizmos", 1)
	}
	s.Run(
		resource.TestStep{Config: redefined(s, "size: {type: integer}", "size: 1")},
		resource.TestStep{
			Config:      redefined(s, "size: {type: integer}", "zone: a"),
			ExpectError: story.Saying("Unknown Field", "spec.zone"),
		},
		resource.TestStep{
			Config:      labelled(redefined(s, "size: {type: integer}", "zone: a", afterDefinition)),
			ExpectError: story.Saying("Unknown Field", "spec.zone"),
		},
		resource.TestStep{Config: redefined(s, "size: {type: integer}", "size: 1")},
	)
}

// If the new schema refuses the object, too, the error of the apply says so.
func TestDefinitionChangesAndStillRefuses(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: redefined(s, "size: {type: integer}", "size: 1")},
		resource.TestStep{
			Config: redefined(s, "size: {type: integer}\n    zone: {type: string}", "zonk: a"),
			ExpectError: story.Saying("Schema Still Refuses", "spec.zonk", "This apply has changed CustomResourceDefinition",
				"refuses the object by the new schema"),
		},
		resource.TestStep{Config: redefined(s, "size: {type: integer}\n    zone: {type: string}", "zone: a")},
	)
}

// A version that the definition adds is used in the same apply: by a new object, by an object of another version, and by a
// patch of one.
func TestDefinitionAddsVersion(t *testing.T) {
	s := story.New(t)
	definition := customresource.Definition("NS.example.com", "Gizmo",
		"spec: {type: object, properties: {size: {type: integer}}}")
	_, rest, _ := strings.Cut(definition, "  - name: v1")
	version := "  - name: v1" + rest
	added := strings.NewReplacer("name: v1", "name: v2", "storage: true", "storage: false").Replace(version)
	newer := func(name string) string {
		return strings.ReplaceAll(gizmo(name, "size: 2"), "example.com/v1", "example.com/v2")
	}
	s.Run(
		resource.TestStep{Config: s.ProviderBlock() + s.Manifest("definition", definition) +
			s.Manifest("test", gizmo("one", "size: 1")) + s.Manifest("moving", gizmo("three", "size: 1"))},
		resource.TestStep{Config: s.ProviderBlock() + s.Manifest("definition", definition+added) +
			s.Manifest("test", gizmo("one", "size: 1")) + s.Manifest("newer", newer("two")) + s.Manifest("moving", newer("three")) +
			s.PatchBlock("patch", "NS.example.com/v2 Gizmo one", "metadata: {labels: {a: b}}")},
	)
}

// The definition is of another client, and a patch of any type changes it. The object is adopted, or patched.
func TestPatchedDefinition(t *testing.T) {
	t.Parallel()
	const field = `/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/zone`
	for name, object := range map[string]func(*story.Story, string) string{
		"adopted": func(s *story.Story, spec string) string {
			return s.Manifest("test", gizmo("one", spec), "adopt_existing = true", `on_destroy = "release"`)
		},
		"patched": func(s *story.Story, spec string) string {
			return s.PatchBlock("test", "NS.example.com/v1 Gizmo one", "spec: {"+spec+"}")
		},
		"merged": func(s *story.Story, spec string) string {
			zone := strings.TrimPrefix(spec, "zone: ")
			return s.TypedPatchBlock("test", "NS.example.com/v1 Gizmo one", "merge", `{"spec":{"zone":"`+zone+`"}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			installGizmos(s, schemaFields{"size": "{type: integer}"})
			s.As("kubectl-create").Create(gizmo("one", "size: 1"))
			patch := s.TypedPatchBlock("definition", "apiextensions.k8s.io/v1 CustomResourceDefinition gizmos.NS.example.com",
				"json", `[{"op": "add", "path": "`+field+`", "value": {"type": "string"}}]`)
			s.Run(resource.TestStep{
				Config:           s.ProviderBlock() + patch + object(s, "zone: a"),
				ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("Schema Not Served Yet", "spec.zone")),
			})
		})
	}
}
