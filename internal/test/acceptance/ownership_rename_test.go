package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A field manager that gets another name takes its claims along: no conflict, no field that two names
// share, and fields that leave the manifest in the same apply leave the object.
func TestRenamedFieldManager(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body   string
		ignore string
		want   map[string]any
	}{
		"and nothing else":               {story.Deployment, "", map[string]any{"spec.replicas": 3}},
		"and a value changes":            {story.WithReplicas(4), "", map[string]any{"spec.replicas": 4}},
		"and a field leaves the body":    {story.WithReplicas(0), "", map[string]any{"spec.replicas": 1}},
		"and a field is ignored":         {story.Deployment, `ignore_fields = ["spec.replicas"]`, map[string]any{"spec.replicas": 3}},
		"and on_conflict allows nothing": {story.WithReplicas(4), `on_conflict = "fail"`, map[string]any{"spec.replicas": 4}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			step := resource.TestStep{
				PreConfig: s.NextStep(),
				Config:    s.Config(tt.body, `field_manager = "platform"`, tt.ignore),
				ConfigPlanChecks: story.PlanChecks(
					plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
					story.ExpectOwner("spec.selector", "k8sconnect", "platform"),
					story.ExpectOwner(story.ImageField, "k8sconnect", "platform"),
					story.ExpectOnly(story.CoOwners),
				),
				Check: story.LiveChecks(
					s.ExpectLive(story.Web, tt.want),
					s.ExpectOwners(story.Web, "spec.selector", "platform"),
					s.ExpectOwners(story.Web, story.ImageField, "platform"),
				),
			}
			s.Run(resource.TestStep{Config: s.Config(story.Deployment)}, step)
		})
	}
}

// Back and forth, beside others: the new name may have a claim of its own, and the others keep theirs.
func TestRenamedBackAndForth(t *testing.T) {
	s := story.NewCompared(t)
	named := func(name string) string { return fmt.Sprintf("field_manager = %q", name) }
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment, named("one"))},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("helm").Apply(story.Deployment)
				s.As("two").Apply(strings.Replace(story.WithReplicas(3), "name: web,", "name: web, labels: {team: shop},", 1))
			}),
			Config: s.Config(story.Deployment, named("two")),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectChange(story.CoOwners, "spec.replicas", "[helm one two]", "[helm two]"),
				story.ExpectOwner("metadata.labels.team", "two", story.Absent),
				s.ExpectOnlyWarning("the apply removes a field that yaml_body does not have:\n\n  metadata.labels.team: \"shop\", owned by \"two\""),
			),
			Check: story.LiveChecks(
				s.ExpectOwners(story.Web, "spec.replicas", "helm", "two"),
				s.ExpectLive(story.Web, map[string]any{"metadata.labels.team": story.Absent}),
			),
		},
		resource.TestStep{
			Config:           s.Config(story.Deployment, named("one")),
			ConfigPlanChecks: story.PlanChecks(story.ExpectChange(story.CoOwners, "spec.replicas", "[helm two]", "[helm one]")),
			Check:            s.ExpectOwners(story.Web, "spec.replicas", "helm", "one"),
		},
	)
}

// The new name may own what is left in metadata: it leaves, and the name of the object stays.
func TestRenamedToAnOwnerOfMetadata(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ metadata, field string }{
		"labels":      {"labels: {team: shop}", "metadata.labels.team"},
		"annotations": {"annotations: {team: shop}", "metadata.annotations.team"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			const target = "v1 ConfigMap web"
			s.Run(
				resource.TestStep{Config: s.Config(story.ConfigMap)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("two").Apply(strings.Replace(story.ConfigMap, "name: web,", "name: web, "+tt.metadata+",", 1))
					}),
					Config: s.Config(story.ConfigMap, `field_manager = "two"`),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOnly(story.CoOwners, "data.colour: [k8sconnect two] -> (absent)"),
						s.ExpectOnlyWarning("the apply removes a field that yaml_body does not have:\n\n  "+
							tt.field+`: "shop", owned by "two"`),
					),
					Check: story.LiveChecks(
						s.ExpectOwners(target, "data.colour", "two"),
						s.ExpectLive(target, map[string]any{tt.field: story.Absent, "data.colour": "red"}),
					),
				},
			)
		})
	}
}

// An import applies nothing, so it renames no manager: the provider's field manager keeps what it owns.
func TestImportUnderAnotherNameRenamesNothing(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(resource.TestStep{
		PreConfig: func() { s.As("k8sconnect").Apply(story.Deployment) },
		Config:    s.ImportBlock(story.WebID) + s.Config(story.Deployment, `field_manager = "second"`),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectChange(story.CoOwners, "spec.replicas", story.Absent, "[k8sconnect second]"),
		),
		Check: s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect", "second"),
	})
}

// The apply of a rename warns of a write since the plan, as any other apply does.
func TestRenameTellsOfLaterWrites(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.ConfigMap, `field_manager = "platform"`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning(), story.Meanwhile(func() {
				s.As("kubectl").Patch("v1 ConfigMap web", `{"data":{"colour":"blue"}}`)
			})),
			Check: story.LiveChecks(
				s.ExpectOverwritten("data.colour"),
				s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"}),
				s.ExpectOwners("v1 ConfigMap web", "data.colour", "platform"),
			),
		},
	)
}
