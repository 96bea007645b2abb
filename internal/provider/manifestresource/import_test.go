package manifestresource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// origin is how an object came to be before it is imported.
type origin struct {
	make func(*story)
	// owner owns every field that the body declares, before the import.
	owner string
	// after are the owners of these fields after the first apply; shown is the one that is shown, the older
	// of two appliers.
	after []string
	shown string
	// defaults are the owners of what the server filled in, before and after: whoever created the object
	// by an update.
	defaults []string
	// warning has the texts of the plan's warning; none where it is silent.
	warning []string
}

var origins = map[string]origin{
	"kubectl create": {
		make:     func(s *story) { s.as("kubectl-create").create(deployment) },
		owner:    "kubectl-create",
		after:    []string{"k8sconnect"},
		shown:    "k8sconnect",
		defaults: []string{"kubectl-create"},
	},
	"kubectl apply, client side": {
		make:     func(s *story) { s.as("kubectl-client-side-apply").applyClientSide(deployment) },
		owner:    "kubectl-client-side-apply",
		after:    []string{"k8sconnect"},
		shown:    "k8sconnect",
		defaults: []string{"kubectl-client-side-apply"},
	},
	"kubectl apply, server side": {
		make:  func(s *story) { s.as("kubectl").apply(deployment) },
		owner: "kubectl",
		after: []string{"k8sconnect", "kubectl"},
		shown: "kubectl",
		warning: []string{
			"Field Ownership Change: ", "the apply shares 5 fields that others own with the same values:\n",
			`spec.replicas: "3", owned by "kubectl" (kubectl apply --server-side, last write `,
			imageField + `: "nginx:1.25", owned by "kubectl" (`,
			"A change here takes a shared field from the others; a change of theirs takes it from here, and the next plan takes it back.",
		},
	},
}

// TestImport: the state shows the present owners after the import, and the first plan with a body that
// matches shows exactly what we take over from kubectl or share with another applier, and no change of a
// value. What the manifest does not declare stays with its owner.
func TestImport(t *testing.T) {
	for name, from := range origins {
		t.Run(name+", by the command", func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{
					PreConfig:          func() { from.make(s); s.awaitRevision() },
					Config:             s.config(deployment),
					ImportState:        true,
					ImportStateKind:    resource.ImportCommandWithID,
					ImportStateId:      s.expand(webID),
					ImportStatePersist: true,
					ResourceName:       address,
					ImportStateCheck:   imported("spec.replicas: "+from.owner, imageField+": "+from.owner),
				},
				firstApply(s, from, s.config(deployment)),
			)
		})
		t.Run(name+", by a block", func(t *testing.T) {
			s := newStory(t)
			first := firstApply(s, from, s.importBlock(webID)+s.config(deployment))
			first.PreConfig = func() { from.make(s); s.awaitRevision() }
			s.run(first)
		})
	}
}

// firstApply returns the step that plans and applies an imported object for the first time.
func firstApply(s *story, from origin, config string) resource.TestStep {
	declared := []string{
		"spec.replicas", "spec.selector", "spec.template.metadata.labels.app", appContainer, appContainer + ".image", appContainer + ".name",
	}
	var owners, shared, after []string
	live := []resource.TestCheckFunc{
		s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "3", imagePath: "nginx:1.25"}),
		s.expectOwners(web, "spec.progressDeadlineSeconds", from.defaults...),
	}
	for _, field := range declared {
		if from.owner != from.shown {
			owners = append(owners, fmt.Sprintf("%s: %s -> %s", field, from.owner, from.shown))
		}
		both := absent
		if len(from.after) > 1 {
			both = fmt.Sprint(from.after)
			shared = append(shared, fmt.Sprintf("%s: %s -> %s", field, absent, both))
		}
		after = append(after, field+": "+both)
		live = append(live, s.expectOwners(web, field, from.after...))
	}
	if from.owner != from.shown {
		// A take-over leaves no claim on a map in which nothing is left to the manager.
		owners = append(owners, fmt.Sprintf("spec.template.metadata.labels: %s -> %s", from.owner, absent))
	}
	warns, repeats := s.expectNoWarning(), s.expectSilence()
	if from.warning != nil {
		warns, repeats = s.expectOnlyWarning(from.warning...), s.expectRepeated(from.warning[:1]...)
	}
	return resource.TestStep{
		Config: config,
		ConfigPlanChecks: checks(
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			expectOnly(fieldOwnership, owners...),
			expectOnly(coOwners, shared...),
			expectOnly(managedState),
			s.expectPrediction(deployment),
			warns,
		),
		ConfigStateChecks: states(
			expectState(coOwners, after...),
			expectState(fieldOwnership, "spec.replicas: "+from.shown),
			expectState(managedState, "spec.replicas: 3", imageField+": nginx:1.25"),
		),
		Check: lives(append(live, repeats)...),
	}
}

// A body that does not match shows the values that the import would change, and who loses them.
func TestImportWithAnotherBody(t *testing.T) {
	s := newStory(t)
	five := strings.Replace(deployment, "replicas: 3", "replicas: 5", 1)
	s.run(resource.TestStep{
		PreConfig: func() { s.as("kubectl-create").create(deployment) },
		Config:    s.importBlock(webID) + s.config(five),
		ConfigPlanChecks: checks(
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			expectOnly(managedState, "spec.replicas: 3 -> 5"),
			expectOwner("spec.replicas", "kubectl-create", "k8sconnect"),
			expectOwner(imageField, "kubectl-create", "k8sconnect"),
			expectOnly(coOwners),
			s.expectPrediction(five),
			s.expectOnlyWarning("the apply takes a field from another owner and changes its value:\n",
				`spec.replicas: "3" -> "5", owned by "kubectl-create" using apps/v1 (kubectl create, last write `),
		),
		ConfigStateChecks: states(expectState(fieldOwnership, "spec.replicas: k8sconnect"), expectState(managedState, "spec.replicas: 5")),
		Check: lives(
			s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "5"}),
			s.expectOwners(web, imageField, "k8sconnect"),
		),
	})
}

// A second state that creates the object of a first one is refused, touches nothing, and is told the
// import block; so is a new state for an object of kubectl's.
func TestSecondStateIsRefused(t *testing.T) {
	t.Run("an object of another state", func(t *testing.T) {
		s := newStory(t)
		other := strings.Replace(deployment, "replicas: 3", "replicas: 1", 1)
		refused := saying("Object Already Exists", "import {", "to = k8sconnect_manifest.", `id = "`+s.expand(webID)+`"`)
		s.run(
			resource.TestStep{Config: s.config(deployment), ConfigPlanChecks: checks(s.expectPrediction(deployment))},
			resource.TestStep{
				PreConfig: func() {
					second := recorder{}
					resource.Test(t, resource.TestCase{
						ProtoV6ProviderFactories: second.factories(s.userAgent + "-second"),
						Steps:                    []resource.TestStep{{Config: s.config(other), ExpectError: refused}},
					})
				},
				Config:           s.config(deployment),
				ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan()),
				Check:            s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "3"}),
			},
		)
	})
	t.Run("an object of kubectl's, then imported as the error says", func(t *testing.T) {
		s := newStory(t)
		s.run(
			resource.TestStep{
				PreConfig:   func() { s.as("kubectl-create").create(deployment) },
				Config:      s.config(deployment),
				ExpectError: saying("Object Already Exists", "import {", `id = "`+s.expand(webID)+`"`),
			},
			firstApply(s, origins["kubectl create"], s.importBlock(webID)+s.config(deployment)),
		)
	})
}
