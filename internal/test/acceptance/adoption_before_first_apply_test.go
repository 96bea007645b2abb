package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// ancient is an object as kubectl created it before the server kept managedFields.
const ancient = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: NS, labels: {team: shop}}
data: {colour: red, size: large, extra: theirs}
`

const ancientID = "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web"

// adopted is what the configuration declares of it.
const adopted = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: NS}
data: {colour: red, size: large}
`

// An object that predates managedFields: the first apply makes the server record before-first-apply for
// all that it has, and takes over what the manifest declares, so that a field which leaves it is gone.
func TestBeforeFirstApply(t *testing.T) {
	t.Parallel()
	const manager, target = "before-first-apply", "v1 ConfigMap web"
	smaller := strings.Replace(adopted, ", size: large", "", 1)
	ways := map[string]struct {
		entries, argument string
		// owners are those of a declared field, and size its live value once it left the manifest.
		owners []string
		size   string
	}{
		"one empty entry":                {"[{}]", "", []string{story.Us}, story.Absent},
		"no entry":                       {"[]", "", []string{story.Us}, story.Absent},
		"one empty entry, nobody yields": {"[{}]", "take_over_managers = []", []string{manager, story.Us}, "large"},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			shared, shown := story.Absent, story.Us
			if len(way.owners) > 1 {
				shared = "[" + strings.Join(way.owners, " ") + "]"
			}
			s.Run(
				resource.TestStep{
					PreConfig: func() {
						s.As("kubectl-create").Create(ancient)
						s.As("velero").StripManagedFields(target, way.entries)
					},
					Config:             s.Config(adopted),
					ImportState:        true,
					ImportStateKind:    resource.ImportCommandWithID,
					ImportStateId:      s.Expand(ancientID),
					ImportStatePersist: true,
					ResourceName:       story.Address,
					ImportStateCheck:   story.Imported("data.colour: ", "data.extra: "),
				},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(adopted, way.argument),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(story.FieldOwnership)),
						plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(story.CoOwners)),
						story.ExpectValue("data.colour", "red", "red"),
						story.ExpectValue("data.extra", "theirs", story.Absent),
						s.ExpectOnlyWarning("yaml_body does not declare 2 fields of the object", `data.extra: "theirs"`, `metadata.labels.team: "shop"`),
					),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.FieldOwnership, "data.colour: "+shown, "data.size: "+shown,
							"data.extra: "+manager, "metadata.labels.team: "+manager),
						story.ExpectState(story.CoOwners, "data.colour: "+shared, "data.size: "+shared, "data.extra: "+story.Absent),
						story.ExpectState(story.ManagedState, "data.colour: red", "data.size: large", "data.extra: "+story.Absent),
						s.ExpectServersOwners(target),
					),
					Check: story.LiveChecks(
						s.ExpectOwners(target, "data.colour", way.owners...),
						s.ExpectOwners(target, "data.extra", manager),
						s.ExpectLiveJSON(target, `{"colour":"red","extra":"theirs","size":"large"}`, "data"),
					),
				},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(smaller, way.argument),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						story.ExpectValue("data.size", "large", story.Absent),
						story.ExpectForeseen(),
						s.ExpectPrediction(smaller),
					),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.ManagedState, "data.colour: red", "data.size: "+story.Absent),
						s.ExpectServersOwners(target),
					),
					Check: s.ExpectLive(target, map[string]any{
						"data.size": way.size, "data.colour": "red", "data.extra": "theirs", "metadata.labels.team": "shop",
					}),
				},
			)
		})
	}
}

// The same for a Deployment: before-first-apply owns its defaults, too.
func TestDeploymentBeforeFirstApply(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl-create").Create(story.Shop)
				s.As("velero").StripManagedFields(story.Web, "[{}]")
			},
			Config: s.ImportBlock(story.WebID) + s.Config(story.Shop),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(story.FieldOwnership)),
				story.ExpectValue("spec.replicas", "2", "2"),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership,
				story.ImageField+": k8sconnect", "metadata.labels.team: k8sconnect", story.AppContainer+".imagePullPolicy: before-first-apply")),
			Check: s.ExpectOwners(story.Web, story.ImageField, story.Us),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(slim),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("metadata.labels.team", story.Us, story.Absent),
				story.ExpectOwner(`spec.template.spec.containers[name="sidecar"].imagePullPolicy`, "before-first-apply", story.Absent),
				story.ExpectForeseen(),
				s.ExpectOnlyWarning("the apply removes 4 fields that yaml_body does not have:",
					`spec.template.spec.containers[name="sidecar"].imagePullPolicy: "IfNotPresent", owned by "before-first-apply"`),
			),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 1, "metadata.labels.team": story.Absent}),
				s.ExpectContainerOrder("app"),
			),
		},
	)
}
