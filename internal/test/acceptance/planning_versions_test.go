package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// autoscaler returns a HorizontalPodAutoscaler.
func autoscaler(version, spec string) string {
	return "{apiVersion: autoscaling/" + version + ", kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: NS, labels: {app: web}}, " +
		"spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, " + spec + "}}"
}

const (
	scalerV1 = "autoscaling/v1 HorizontalPodAutoscaler web"
	half     = "targetCPUUtilizationPercentage: 50"
)

func utilization(percent int) string {
	return fmt.Sprintf("metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: %d}}}]", percent)
}

// expectVersions asserts the API versions of our entries in managedFields.
func expectVersions(s *story.Story, target, manager string, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var versions []string
		for _, entry := range s.Live(target).GetManagedFields() {
			if entry.Manager == manager && entry.Subresource == "" {
				versions = append(versions, entry.APIVersion)
			}
		}
		for i := range want {
			want[i] = s.Expand(want[i])
		}
		if !slices.Equal(versions, want) {
			return fmt.Errorf("%s: the entries of %s are in %q, want %q", target, manager, versions, want)
		}
		return nil
	}
}

// inPlace asserts a plan that changes the API version of the object.
func inPlace(s *story.Story, from, to string) plancheck.PlanCheck {
	return story.AllOf([]plancheck.PlanCheck{
		story.ExpectAction(plancheck.ResourceActionUpdate),
		s.ExpectWarning("API Version Changes", s.Expand("apiVersion "+from+" -> "+to+", in place")),
	})
}

// A field that only the new version has is shared with those who have given it the same value, and taken from the others.
func TestFieldsOfAnotherVersion(t *testing.T) {
	for name, theirs := range map[string]int{"the same value": 50, "another value": 60} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			upgraded := map[string]string{"web": autoscaler("v2", utilization(50))}
			s.has(map[string]string{"web": autoscaler("v1", half)})
			s.Do("apply", "-auto-approve")
			s.As("helm").Apply(autoscaler("v2", utilization(theirs)))
			s.has(upgraded, `on_conflict = "fail"`)
			if theirs != 50 {
				s.expect(s.Exits(story.Refused, "plan"), "Field Ownership Conflict", "spec.metrics", "owned by \"helm\"", "not", "equivalent")
				s.has(upgraded)
			}
			s.Do("apply", "-auto-approve")
			s.settled()
			owners, err := s.LiveOwners("autoscaling/v2 HorizontalPodAutoscaler web", "spec.metrics")
			if story.Must(t, err); slices.Contains(owners, "helm") != (theirs == 50) {
				t.Errorf("owners %q", owners)
			}
		})
	}
}

// Another version of the kind is the same object: it is updated in place, to and fro, and nothing of other managers is
// lost.
func TestAnotherVersionInPlace(t *testing.T) {
	s := story.New(t)
	seen := s.Sight(scalerV1)
	theirs := story.LiveChecks(seen.ExpectKept, s.ExpectLive(scalerV1, map[string]any{
		"metadata.annotations.note": "theirs", "spec.minReplicas": int64(2), "metadata.labels.app": "web",
	}), expectVersions(s, scalerV1, "flux", "autoscaling/v1"))
	s.Run(
		resource.TestStep{Config: s.Config(autoscaler("v1", half)), Check: seen.See},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("flux").Apply("{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: NS, " +
					"annotations: {note: theirs}}, spec: {minReplicas: 2}}")
			}),
			Config: s.Config(autoscaler("v2", utilization(50))),
			ConfigPlanChecks: story.PlanChecks(
				inPlace(s, "autoscaling/v1", "autoscaling/v2"),
				story.ExpectOwner("spec.metrics", story.Absent, story.Us),
				story.ExpectValue("spec.maxReplicas", "9", "9"),
			),
			Check: story.LiveChecks(theirs, expectVersions(s, scalerV1, story.Us, "autoscaling/v2"), s.ExpectNotOverwritten()),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           s.Config(strings.Replace(autoscaler("v1", "targetCPUUtilizationPercentage: 70"), ", labels: {app: web}", "", 1)),
			ConfigPlanChecks: story.PlanChecks(inPlace(s, "autoscaling/v2", "autoscaling/v1")),
			Check: story.LiveChecks(seen.ExpectKept, expectVersions(s, scalerV1, story.Us, "autoscaling/v1"), s.ExpectLive(scalerV1, map[string]any{
				"spec.targetCPUUtilizationPercentage": int64(70), "metadata.labels": story.Absent, "metadata.annotations.note": "theirs",
			})),
		},
	)
}

// A field that another version of the kind does not have cannot be pinned in it: the error names the path. It can leave,
// or be released, and its value stays as the server converts it.
func TestVersionWithoutAField(t *testing.T) {
	const behavior = "behavior: {scaleDown: {stabilizationWindowSeconds: 60}}"
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(autoscaler("v2", behavior))},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(autoscaler("v1", half), `pin_fields = ["spec.behavior"]`),
			ExpectError: story.Saying("Pinned Value Refused", "spec.behavior.scaleDown.stabilizationWindowSeconds", "Remove the paths that no longer fit from pin_fields"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(autoscaler("v1", half), `ignore_fields = ["spec.behavior"]`),
			ConfigPlanChecks: story.PlanChecks(inPlace(s, "autoscaling/v2", "autoscaling/v1")),
			Check: s.ExpectLive("autoscaling/v2 HorizontalPodAutoscaler web",
				map[string]any{"spec.behavior.scaleDown.stabilizationWindowSeconds": int64(60)}),
		},
	)
}

// Delete protection, on_destroy and an import are about the object in any version.
func TestAnotherVersionOfProtectedAndImported(t *testing.T) {
	s := story.New(t)
	seen := s.Sight(scalerV1)
	s.As("kubectl-create").Create(autoscaler("v1", half))
	s.Run(
		resource.TestStep{
			Config: s.Config(autoscaler("v2", utilization(60)), "delete_protection = true") +
				s.ImportBlock("apiVersion=autoscaling/v1,kind=HorizontalPodAutoscaler,namespace=NS,name=web"),
			PreConfig:        func() { _ = seen.See(nil) },
			ConfigPlanChecks: story.PlanChecks(inPlace(s, "autoscaling/v1", "autoscaling/v2")),
			Check:            story.LiveChecks(seen.ExpectKept, expectVersions(s, scalerV1, story.Us, "autoscaling/v2")),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           s.Config(autoscaler("v1", half), `on_destroy = "release"`),
			ConfigPlanChecks: story.PlanChecks(inPlace(s, "autoscaling/v2", "autoscaling/v1")),
			Check:            seen.ExpectKept,
		},
		resource.TestStep{Config: s.ProviderBlock(), Check: seen.ExpectKept},
	)
}

// A version that the server does not serve is an error, and the object stays.
func TestAnotherVersionNotServed(t *testing.T) {
	s := story.New(t)
	seen := s.Sight(scalerV1)
	s.Run(
		resource.TestStep{Config: s.Config(autoscaler("v1", half)), Check: seen.See},
		resource.TestStep{
			Config: s.Config(autoscaler("v2beta2", utilization(50))), PlanOnly: true,
			ExpectError: story.Saying("Kind Not Served", "autoscaling/v2beta2", "autoscaling/v2"),
		},
		resource.TestStep{Config: s.Config(autoscaler("v1", half)), Check: seen.ExpectKept},
	)
}

const event = "{apiVersion: v1, kind: Event, metadata: {name: web, namespace: NS, labels: {a: b}}, type: Normal, reason: Tested, " +
	"involvedObject: {kind: Pod, name: web, namespace: NS}}"

// A kind that two groups serve has one object for both, which its uid shows.
func TestAnotherGroupOfTheSameObject(t *testing.T) {
	s := story.New(t)
	seen := s.Sight("v1 Event web")
	other := "{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: web, namespace: NS, labels: {a: c}}, type: Normal, reason: Tested, " +
		"regarding: {kind: Pod, name: web, namespace: NS}}"
	s.Run(
		resource.TestStep{Config: s.Config(event), Check: seen.See},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           s.Config(other),
			ConfigPlanChecks: story.PlanChecks(inPlace(s, "v1", "events.k8s.io/v1")),
			Check:            story.LiveChecks(seen.ExpectKept, expectVersions(s, "v1 Event web", story.Us, "events.k8s.io/v1")),
		},
	)
}

// A patch follows its target to another version.
func TestPatchInAnotherVersion(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]func(s *story.Story, version, value string) string{
		"applied": func(s *story.Story, version, value string) string {
			return s.PatchConfig("autoscaling/"+version+" HorizontalPodAutoscaler web", "metadata: {labels: {ours: "+value+"}}\nspec: {minReplicas: 3}", `field_manager = "ours"`)
		},
		"merged": func(s *story.Story, version, value string) string {
			return s.TypedPatchConfig("autoscaling/"+version+" HorizontalPodAutoscaler web", "merge",
				`{"metadata": {"labels": {"ours": "`+value+`"}}, "spec": {"minReplicas": 3}}`, `field_manager = "ours"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Apply(autoscaler("v2", utilization(50)))
			s.Run(
				resource.TestStep{Config: patch(s, "v1", "a")},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    patch(s, "v2", "b"),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate),
						s.ExpectWarning("apiVersion autoscaling/v1 -> autoscaling/v2, in place"),
					),
					Check: story.LiveChecks(
						s.ExpectLive(scalerV1, map[string]any{"metadata.labels.ours": "b", "spec.minReplicas": int64(3)}),
						expectVersions(s, scalerV1, "ours", "autoscaling/v2"),
					),
				},
			)
		})
	}
}

// Owners that a plan of another version shows stay known in its apply, whatever other clients write in between.
func TestWritesBeforeAnotherVersion(t *testing.T) {
	t.Parallel()
	const theirs = "{apiVersion: autoscaling/VERSION, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: NS, " +
		"annotations: {note: theirs}}, spec: {minReplicas: 2}}"
	resources := map[string]struct {
		address string
		config  func(s *story.Story, version, field string) string
	}{
		"a manifest": {story.Address, func(s *story.Story, version, field string) string { return s.Config(autoscaler(version, field)) }},
		"a patch": {story.PatchAddress, func(s *story.Story, version, _ string) string {
			return s.PatchConfig("autoscaling/"+version+" HorizontalPodAutoscaler web", "metadata: {labels: {ours: "+version+"}}", `field_manager = "ours"`)
		}},
	}
	writes := map[string]func(s *story.Story){
		"another client takes a field": func(s *story.Story) { s.As("eve").Patch(scalerV1, `{"spec": {"minReplicas": 3}}`) },
		"the manager applies in the new version": func(s *story.Story) {
			s.As("flux").Apply(strings.Replace(theirs, "VERSION", "v2", 1))
		},
		"the manager gives up its fields": func(s *story.Story) {
			s.As("flux").Apply(strings.NewReplacer("VERSION", "v1", "spec: {minReplicas: 2}", "spec: {}").Replace(theirs))
		},
	}
	for name, r := range resources {
		for what, write := range writes {
			t.Run(name+": "+what, func(t *testing.T) {
				s := story.New(t)
				if r.address == story.PatchAddress {
					s.As("admin").Apply(autoscaler("v1", half))
				}
				s.Run(
					resource.TestStep{Config: r.config(s, "v1", half)},
					resource.TestStep{
						PreConfig: s.NextStep(func() { s.As("flux").Apply(strings.Replace(theirs, "VERSION", "v1", 1)) }),
						Config:    r.config(s, "v2", utilization(60)),
						ConfigPlanChecks: story.PlanChecks(
							s.ExpectWarning("apiVersion autoscaling/v1 -> autoscaling/v2, in place"), story.ExpectUnknown(r.address),
							story.Meanwhile(func() { write(s) }),
						),
					},
				)
			})
		}
	}
}

// Which fields managers lose in another version depends on a value that is not known yet.
func TestUnknownValueBesideAnotherVersion(t *testing.T) {
	s := story.New(t)
	config := func(most string) string {
		return objectConfig(s, `{
    apiVersion = "autoscaling/v2"
    kind       = "HorizontalPodAutoscaler"
    metadata   = { name = "web", namespace = "NS" }
    spec       = { maxReplicas = `+most+`, scaleTargetRef = { apiVersion = "apps/v1", kind = "Deployment", name = "web" } }
  }`)
	}
	s.Run(
		resource.TestStep{Config: config("9")},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("flux").Apply("{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: NS}, spec: {minReplicas: 2}}")
			}),
			Config:           later("7") + config("tonumber("+laterText+")"),
			ConfigPlanChecks: story.PlanChecks(expectUnknownEntries("co_owners", "field_ownership", "managed_state spec.maxReplicas")),
			Check:            s.ExpectLive(scalerV1, map[string]any{"spec.maxReplicas": int64(7), "spec.minReplicas": int64(2)}),
		},
	)
}
