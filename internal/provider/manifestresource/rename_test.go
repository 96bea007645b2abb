package manifestresource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// A field manager that gets another name takes its claims along: no conflict, no field that two names
// share, and fields that leave the manifest in the same apply leave the object.
func TestRenamedFieldManager(t *testing.T) {
	tests := map[string]struct {
		body   string
		ignore string
		want   map[string]any
	}{
		"and nothing else":               {deployment, "", map[string]any{"spec.replicas": 3}},
		"and a value changes":            {withReplicas(4), "", map[string]any{"spec.replicas": 4}},
		"and a field leaves the body":    {withReplicas(0), "", map[string]any{"spec.replicas": 1}},
		"and a field is ignored":         {deployment, `ignore_fields = ["spec.replicas"]`, map[string]any{"spec.replicas": 3}},
		"and on_conflict allows nothing": {withReplicas(4), `on_conflict = "fail"`, map[string]any{"spec.replicas": 4}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			step := resource.TestStep{
				PreConfig: s.anew(),
				Config:    s.config(tt.body, `field_manager = "platform"`, tt.ignore),
				ConfigPlanChecks: checks(
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
					expectOwner("spec.selector", "k8sconnect", "platform"),
					expectOwner(imageField, "k8sconnect", "platform"),
					expectOnly(coOwners),
				),
				Check: lives(
					s.expectLive(web, tt.want),
					s.expectOwners(web, "spec.selector", "platform"),
					s.expectOwners(web, imageField, "platform"),
				),
			}
			s.run(resource.TestStep{Config: s.config(deployment)}, step)
		})
	}
}

// Back and forth, beside others: the new name may have a claim of its own, and the others keep theirs.
func TestRenamedBackAndForth(t *testing.T) {
	s := newStory(t)
	named := func(name string) string { return fmt.Sprintf("field_manager = %q", name) }
	s.run(
		resource.TestStep{Config: s.config(deployment, named("one"))},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("helm").apply(deployment)
				s.as("two").apply(strings.Replace(withReplicas(3), "name: web,", "name: web, labels: {team: shop},", 1))
			}),
			Config: s.config(deployment, named("two")),
			ConfigPlanChecks: checks(
				expectChange(coOwners, "spec.replicas", "[helm one two]", "[helm two]"),
				expectOwner("metadata.labels.team", "two", absent),
				s.expectOnlyWarning("the apply removes a field that yaml_body does not have:\n\n  metadata.labels.team: \"shop\", owned by \"two\""),
			),
			Check: lives(
				s.expectOwners(web, "spec.replicas", "helm", "two"),
				s.expectLive(web, map[string]any{"metadata.labels.team": absent}),
			),
		},
		resource.TestStep{
			Config:           s.config(deployment, named("one")),
			ConfigPlanChecks: checks(expectChange(coOwners, "spec.replicas", "[helm two]", "[helm one]")),
			Check:            s.expectOwners(web, "spec.replicas", "helm", "one"),
		},
	)
}

// An import applied nothing, so what the provider's field manager owns stays whose it is.
func TestImportUnderAnotherNameRenamesNothing(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		PreConfig: func() { s.as("k8sconnect").apply(deployment) },
		Config:    s.importBlock(webID) + s.config(deployment, `field_manager = "second"`),
		ConfigPlanChecks: checks(
			expectChange(coOwners, "spec.replicas", absent, "[k8sconnect second]"),
		),
		Check: s.expectOwners(web, "spec.replicas", "k8sconnect", "second"),
	})
}

// A write between the plan of a rename and its apply is told of, as it is without the rename.
func TestRenameTellsOfLaterWrites(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(configMap)},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(configMap, `field_manager = "platform"`),
			ConfigPlanChecks: checks(s.expectNoWarning(), meanwhile(func() {
				s.as("kubectl").patch("v1 ConfigMap web", `{"data":{"colour":"blue"}}`)
			})),
			Check: lives(
				s.expectOverwritten("data.colour"),
				s.expectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"}),
				s.expectOwners("v1 ConfigMap web", "data.colour", "platform"),
			),
		},
	)
}
