package acceptance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	fleetTarget = "NS.example.com/v1 Fleet web"
	oldFields   = "{size: {type: integer}, colour: {type: string}, note: {type: string}}"
	newFields   = "{size: {type: integer}, colour: {type: string}, note: {type: string}, access: {type: string}}"
)

// fleets returns the definition of a kind with v1, which is stored, and with v1alpha1 if it gives that version fields.
func fleets(v1, v1alpha1 string) string {
	text := customresource.Definition("NS.example.com", "Fleet", "spec: {type: object, properties: "+v1+"}")
	if v1alpha1 == "" {
		return text
	}
	return text + "\n  - name: v1alpha1\n    served: true\n    storage: false\n    schema: {openAPIV3Schema: {type: object, properties: " +
		"{spec: {type: object, properties: " + v1alpha1 + "}}}}\n"
}

func fleet(version, spec string) string {
	return "{apiVersion: NS.example.com/" + version + ", kind: Fleet, metadata: {name: web, namespace: NS}, spec: {" + spec + "}}"
}

// redefine gives the kind other versions, and waits until the server refuses to dry-run what is in the old ones, or uses
// the new schema.
func redefine(s *story.Story, text string, isUsed func() bool) {
	s.T.Helper()
	changed := s.Parse(text)
	s.As("kubectl-edit").Put("apiextensions.k8s.io/v1 CustomResourceDefinition "+changed.GetName(), func(live map[string]any) {
		live["spec"] = changed.Object["spec"]
	})
	s.Await("the server uses the definition", isUsed)
}

// refusing reports whether the server refuses an apply to the story's Fleet with words.
func refusing(s *story.Story, words string) func() bool {
	return func() bool {
		object := s.Parse(fleet("v1", "size: 1"))
		_, err := s.ResourceOf(object).Apply(context.Background(), "web", object,
			metav1.ApplyOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}, Force: true})
		return err != nil && strings.Contains(err.Error(), words)
	}
}

// A custom resource moves to a version with a field that its old version lacks, which the server refuses as long as
// managedFields name the old version: no value and no owner is lost.
func TestAnotherVersionWithNewField(t *testing.T) {
	t.Parallel()
	for name, others := range map[string]bool{"ours alone": false, "others in the old version": true} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(s.Expand(fleets(newFields, oldFields)))
			target := s.Expand(fleetTarget)
			seen := s.Sight(target)
			owners := story.ExpectOwner("spec.access", story.Absent, story.Us)
			after := []resource.TestCheckFunc{
				seen.ExpectKept, expectVersions(s, target, story.Us, "NS.example.com/v1"),
				s.ExpectLive(target, map[string]any{"spec.access": "rw", "spec.size": int64(2), "spec.colour": story.Absent}),
				s.ExpectOwners(target, "spec.size", story.Us), s.ExpectNotOverwritten(),
			}
			if others {
				owners = story.AllOf([]plancheck.PlanCheck{owners, s.ExpectPlanSays("managedFields", `"flux" (Apply)`, "no value")})
				after = append(after, s.ExpectOwners(target, "spec.note", "flux"), expectVersions(s, target, "flux", "NS.example.com/v1"))
			}
			s.Run(
				resource.TestStep{Config: s.Config(fleet("v1alpha1", "size: 1, colour: red")), Check: seen.See},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						if others {
							s.As("flux").Apply(fleet("v1alpha1", "note: theirs"))
						}
					}),
					Config: s.Config(fleet("v1", "size: 2, access: rw")),
					ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate),
						s.ExpectPlanSays(s.Expand("apiVersion NS.example.com/v1alpha1 -> NS.example.com/v1, in place")), owners),
					Check: story.LiveChecks(after...),
				},
			)
		})
	}
}

// Entries of managedFields in a version that is gone, or whose schema lacks a field of the object, stop every apply.
// The apply rewrites their version.
func TestUnusableVersion(t *testing.T) {
	t.Parallel()
	for name, unusable := range map[string]struct{ definition, words string }{
		"is gone":       {fleets(newFields, ""), "invalid group/version"},
		"lacks a field": {fleets(newFields, "{size: {type: integer}}"), "not declared in schema"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(s.Expand(fleets(newFields, oldFields)))
			target := s.Expand(fleetTarget)
			seen := s.Sight(target)
			s.Run(
				resource.TestStep{Config: s.Config(fleet("v1", "size: 1, colour: red")), Check: seen.See},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("flux").Apply(fleet("v1alpha1", "note: theirs"))
						redefine(s, s.Expand(unusable.definition), refusing(s, unusable.words))
					}),
					Config: s.Config(fleet("v1", "size: 2")),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectAction(plancheck.ResourceActionUpdate),
						story.ExpectValue("spec.size", "1", "2"),
						s.ExpectPlanSays("managedFields", `"flux" (Apply)`),
					),
					Check: story.LiveChecks(seen.ExpectKept,
						s.ExpectLive(target, map[string]any{"spec.size": int64(2), "spec.note": "theirs", "spec.colour": story.Absent}),
						s.ExpectOwners(target, "spec.note", "flux"), s.ExpectOwners(target, "spec.size", story.Us), s.ExpectNotOverwritten()),
				},
			)
		})
	}
}

// What the definition serves may change between a plan and its apply.
func TestDefinitionChangesBeforeApply(t *testing.T) {
	t.Parallel()
	both, one := fleets(newFields, oldFields), fleets(newFields, "")
	for name, c := range map[string]struct {
		ours, planned, applied string
		unknown                []string
	}{
		"the old version is served again":   {ours: "v1", planned: one, applied: both, unknown: []string{story.FieldOwnership, story.CoOwners}},
		"the old version is gone":           {ours: "v1", planned: both, applied: one, unknown: []string{story.FieldOwnership, story.CoOwners}},
		"ours is served again":              {ours: "v1alpha1", planned: one, applied: both},
		"the version that we leave is gone": {ours: "v1alpha1", planned: both, applied: one},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(s.Expand(both))
			target := s.Expand(fleetTarget)
			use := func(definition string) {
				isUsed := refusing(s, "invalid group/version")
				if definition == both {
					isRefused := refusing(s, "")
					isUsed = func() bool { return !isRefused() }
				}
				redefine(s, s.Expand(definition), isUsed)
			}
			s.Run(
				resource.TestStep{Config: s.Config(fleet(c.ours, "size: 1"))},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("flux").Apply(fleet("v1alpha1", "note: theirs"))
						use(c.planned)
					}),
					Config: s.Config(fleet("v1", "size: 2")),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectUnknown(story.Address, c.unknown...), story.Meanwhile(func() { use(c.applied) }),
					),
					Check: story.LiveChecks(s.ExpectLive(target, map[string]any{"spec.size": int64(2), "spec.note": "theirs"}),
						s.ExpectOwners(target, "spec.note", "flux"), s.ExpectOwners(target, "spec.size", story.Us)),
				},
			)
		})
	}
}

// An object whose own claim is in a version that is gone can be changed, adopted, patched and released.
func TestUnusableVersionOfOurs(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]struct {
		config func(s *story.Story) string
		size   int64
		owner  string
	}{
		"changed": {
			config: func(s *story.Story) string { return s.Config(fleet("v1", "size: 3")) }, size: 3, owner: story.Us,
		},
		"released": {
			config: func(s *story.Story) string { return s.ProviderBlock() }, size: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(s.Expand(fleets(newFields, oldFields)))
			target := s.Expand(fleetTarget)
			var owners []string
			if next.owner != "" {
				owners = append(owners, next.owner)
			}
			s.Run(
				resource.TestStep{Config: s.Config(fleet("v1alpha1", "size: 1"), `on_destroy = "release"`)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("flux").Apply(fleet("v1alpha1", "note: theirs"))
						redefine(s, s.Expand(fleets(newFields, "")), refusing(s, "invalid group/version"))
					}),
					Config: next.config(s),
					Check: story.LiveChecks(
						s.ExpectLive(target, map[string]any{"spec.size": next.size, "spec.note": "theirs"}),
						s.ExpectOwners(target, "spec.note", "flux"), s.ExpectOwners(target, "spec.size", owners...)),
				},
			)
		})
	}
}

// A new resource adopts an object, and a patch applies to one, whose managers wrote in a version that is gone.
func TestUnusableVersionOfAnother(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(s *story.Story) string{
		"adopted": func(s *story.Story) string { return s.Config(fleet("v1", "size: 3"), story.Adopting) },
		"applied": func(s *story.Story) string {
			return s.PatchConfig(s.Expand(fleetTarget), "spec: {size: 3}", `field_manager = "k8sconnect"`)
		},
		"merged": func(s *story.Story) string {
			return s.TypedPatchConfig(s.Expand(fleetTarget), "merge", `{"spec": {"size": 3}}`, `field_manager = "k8sconnect"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(s.Expand(fleets(newFields, oldFields)))
			target := s.Expand(fleetTarget)
			s.As("flux").Apply(fleet("v1alpha1", "size: 1, note: theirs"))
			redefine(s, s.Expand(fleets(newFields, "")), refusing(s, "invalid group/version"))
			s.Run(resource.TestStep{
				Config:           config(s),
				ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("managedFields", `"flux" (Apply)`, "no value")),
				Check: story.LiveChecks(s.ExpectLive(target, map[string]any{"spec.size": int64(3), "spec.note": "theirs"}),
					s.ExpectOwners(target, "spec.note", "flux"), s.ExpectOwners(target, "spec.size", story.Us)),
			})
		})
	}
}
