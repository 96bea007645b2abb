package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
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
	const manager, target = "before-first-apply", "v1 ConfigMap web"
	smaller := strings.Replace(adopted, ", size: large", "", 1)
	ways := map[string]struct {
		entries, argument string
		// owners are those of a declared field, and size its live value once it left the manifest.
		owners []string
		size   string
	}{
		"one empty entry":                {"[{}]", "", []string{us}, absent},
		"no entry":                       {"[]", "", []string{us}, absent},
		"one empty entry, nobody yields": {"[{}]", "take_over_managers = []", []string{manager, us}, "large"},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			shared, shown := absent, us
			if len(way.owners) > 1 {
				shared = "[" + strings.Join(way.owners, " ") + "]"
			}
			s.run(
				resource.TestStep{
					PreConfig: func() {
						s.as("kubectl-create").create(ancient)
						s.as("velero").stripManagedFields(target, way.entries)
					},
					Config:             s.config(adopted),
					ImportState:        true,
					ImportStateKind:    resource.ImportCommandWithID,
					ImportStateId:      s.expand(ancientID),
					ImportStatePersist: true,
					ResourceName:       address,
					ImportStateCheck:   imported("data.colour: ", "data.extra: "),
				},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(adopted, way.argument),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
						plancheck.ExpectUnknownValue(address, tfjsonpath.New(fieldOwnership)),
						plancheck.ExpectUnknownValue(address, tfjsonpath.New(coOwners)),
						expectValue("data.colour", absent, "red"),
						expectValue("data.extra", absent, absent),
						s.expectNoWarning(),
					),
					ConfigStateChecks: states(
						expectState(fieldOwnership, "data.colour: "+shown, "data.size: "+shown,
							"data.extra: "+manager, "metadata.labels.team: "+manager),
						expectState(coOwners, "data.colour: "+shared, "data.size: "+shared, "data.extra: "+absent),
						expectState(managedState, "data.colour: red", "data.size: large", "data.extra: "+absent),
						s.expectServersOwners(target),
					),
					Check: lives(
						s.expectOwners(target, "data.colour", way.owners...),
						s.expectOwners(target, "data.extra", manager),
						s.expectLiveJSON(target, `{"colour":"red","extra":"theirs","size":"large"}`, "data"),
					),
				},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(smaller, way.argument),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
						expectValue("data.size", "large", absent),
						expectForeseen(),
						s.expectPrediction(smaller),
					),
					ConfigStateChecks: states(
						expectState(managedState, "data.colour: red", "data.size: "+absent),
						s.expectServersOwners(target),
					),
					Check: s.expectLive(target, map[string]any{
						"data.size": way.size, "data.colour": "red", "data.extra": "theirs", "metadata.labels.team": "shop",
					}),
				},
			)
		})
	}
}

// The same for a Deployment, whose defaults are before-first-apply's like everything else.
func TestDeploymentBeforeFirstApply(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			PreConfig: func() {
				s.as("kubectl-create").create(shop)
				s.as("velero").stripManagedFields(web, "[{}]")
			},
			Config: s.importBlock(webID) + s.config(shop),
			ConfigPlanChecks: checks(
				plancheck.ExpectUnknownValue(address, tfjsonpath.New(fieldOwnership)),
				expectValue("spec.replicas", absent, "2"),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectState(fieldOwnership,
				imageField+": k8sconnect", "metadata.labels.team: k8sconnect", appContainer+".imagePullPolicy: before-first-apply")),
			Check: s.expectOwners(web, imageField, us),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(slim),
			ConfigPlanChecks: checks(
				expectOwner("metadata.labels.team", us, absent),
				expectOwner(`spec.template.spec.containers[name="sidecar"].imagePullPolicy`, "before-first-apply", absent),
				expectForeseen(),
				s.expectOnlyWarning("the apply removes 4 fields that yaml_body does not have:",
					`spec.template.spec.containers[name="sidecar"].imagePullPolicy: "IfNotPresent", owned by "before-first-apply"`),
			),
			Check: lives(
				s.expectLive(web, map[string]any{"spec.replicas": 1, "metadata.labels.team": absent}),
				s.expectContainerOrder("app"),
			),
		},
	)
}
