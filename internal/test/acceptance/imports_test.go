package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// provenance is how an object came to be before it is imported.
type provenance struct {
	make func(*story.Story)
	// owner owns every field that the body declares, before the import.
	owner string
	// after are the owners of these fields after the first apply; shown is the owner in field_ownership, the
	// older of two appliers.
	after []string
	shown string
	// defaults are the owners of what the server filled in, before and after: whoever created the object
	// by an update.
	defaults []string
	// warning has the texts of the plan's warning; none if it is silent.
	warning []string
}

var provenances = map[string]provenance{
	"kubectl create": {
		make:     func(s *story.Story) { s.As("kubectl-create").Create(story.Deployment) },
		owner:    "kubectl-create",
		after:    []string{"k8sconnect"},
		shown:    "k8sconnect",
		defaults: []string{"kubectl-create"},
	},
	"kubectl apply, client side": {
		make:     func(s *story.Story) { s.As("kubectl-client-side-apply").ApplyClientSide(story.Deployment) },
		owner:    "kubectl-client-side-apply",
		after:    []string{"k8sconnect"},
		shown:    "k8sconnect",
		defaults: []string{"kubectl-client-side-apply"},
	},
	"kubectl apply, server side": {
		make:  func(s *story.Story) { s.As("kubectl").Apply(story.Deployment) },
		owner: "kubectl",
		after: []string{"k8sconnect", "kubectl"},
		shown: "kubectl",
		warning: []string{
			"Field Ownership Change: ", "the apply shares 5 fields that others own with the same values:\n",
			`spec.replicas: "3", owned by "kubectl" (kubectl apply --server-side, last write `,
			story.ImageField + `: "nginx:1.25", owned by "kubectl" (`,
			"If you change a shared field, you take it from the others. If they change it, they take it from you, and the next plan takes it back.",
		},
	},
}

// TestImport: the state shows the present owners after the import, and the first plan with a body that
// matches shows exactly what we take over from kubectl or share with another applier, and no change of a
// value. What the manifest does not declare stays with its owner.
func TestImport(t *testing.T) {
	t.Parallel()
	for name, from := range provenances {
		t.Run(name+", by the command", func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{
					PreConfig:          func() { from.make(s); s.AwaitRollouts() },
					Config:             s.Config(story.Deployment),
					ImportState:        true,
					ImportStateKind:    resource.ImportCommandWithID,
					ImportStateId:      s.Expand(story.WebID),
					ImportStatePersist: true,
					ResourceName:       story.Address,
					ImportStateCheck:   story.Imported("spec.replicas: "+from.owner, story.ImageField+": "+from.owner),
				},
				firstApply(s, from, s.Config(story.Deployment)),
			)
		})
		t.Run(name+", by a block", func(t *testing.T) {
			s := story.New(t)
			first := firstApply(s, from, s.ImportBlock(story.WebID)+s.Config(story.Deployment))
			first.PreConfig = func() { from.make(s); s.AwaitRollouts() }
			s.Run(first)
		})
	}
}

// firstApply returns the step that plans and applies an imported object for the first time.
func firstApply(s *story.Story, from provenance, config string) resource.TestStep {
	declared := []string{
		"spec.replicas", "spec.selector", "spec.template.metadata.labels.app", story.AppContainer, story.AppContainer + ".image", story.AppContainer + ".name",
	}
	var owners, shared, after []string
	live := []resource.TestCheckFunc{
		s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3", story.ImagePath: "nginx:1.25"}),
		s.ExpectOwners(story.Web, "spec.progressDeadlineSeconds", from.defaults...),
	}
	for _, field := range declared {
		if from.owner != from.shown {
			owners = append(owners, fmt.Sprintf("%s: %s -> %s", field, from.owner, from.shown))
		}
		both := story.Absent
		if len(from.after) > 1 {
			both = fmt.Sprint(from.after)
			shared = append(shared, fmt.Sprintf("%s: %s -> %s", field, story.Absent, both))
		}
		after = append(after, field+": "+both)
		live = append(live, s.ExpectOwners(story.Web, field, from.after...))
	}
	if from.owner != from.shown {
		// A take-over leaves no claim on a map in which nothing is left to the manager.
		owners = append(owners, fmt.Sprintf("spec.template.metadata.labels: %s -> %s", from.owner, story.Absent))
	}
	warns, repeats := s.ExpectNoWarning(), s.ExpectSilence()
	if from.warning != nil {
		warns, repeats = s.ExpectOnlyWarning(from.warning...), s.ExpectRepeated(from.warning[:1]...)
	}
	return resource.TestStep{
		Config: config,
		ConfigPlanChecks: story.PlanChecks(
			plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
			story.ExpectOnly(story.FieldOwnership, owners...),
			story.ExpectOnly(story.CoOwners, shared...),
			story.ExpectOnly(story.ManagedState),
			s.ExpectPrediction(story.Deployment),
			warns,
		),
		ConfigStateChecks: story.StateChecks(
			story.ExpectState(story.CoOwners, after...),
			story.ExpectState(story.FieldOwnership, "spec.replicas: "+from.shown),
			story.ExpectState(story.ManagedState, "spec.replicas: 3", story.ImageField+": nginx:1.25"),
		),
		Check: story.LiveChecks(append(live, repeats)...),
	}
}

// A body that does not match shows the values that the import would change, and who loses them.
func TestImportWithAnotherBody(t *testing.T) {
	s := story.New(t)
	five := strings.Replace(story.Deployment, "replicas: 3", "replicas: 5", 1)
	s.Run(resource.TestStep{
		PreConfig: func() { s.As("kubectl-create").Create(story.Deployment); s.AwaitRollouts() },
		Config:    s.ImportBlock(story.WebID) + s.Config(five),
		ConfigPlanChecks: story.PlanChecks(
			plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
			story.ExpectOnly(story.ManagedState, "spec.replicas: 3 -> 5"),
			story.ExpectOwner("spec.replicas", "kubectl-create", "k8sconnect"),
			story.ExpectOwner(story.ImageField, "kubectl-create", "k8sconnect"),
			story.ExpectOnly(story.CoOwners),
			s.ExpectPrediction(five),
			s.ExpectOnlyWarning("the apply takes a field from another owner and changes its value:\n",
				`spec.replicas: "3" -> "5", owned by "kubectl-create" using apps/v1 (kubectl create, last write `),
		),
		ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "spec.replicas: k8sconnect"), story.ExpectState(story.ManagedState, "spec.replicas: 5")),
		Check: story.LiveChecks(
			s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "5"}),
			s.ExpectOwners(story.Web, story.ImageField, "k8sconnect"),
		),
	})
}

// A second state that creates the object of another state is refused and changes nothing, and the error shows
// the import block. The same holds for a new state and an object of kubectl.
func TestSecondStateIsRefused(t *testing.T) {
	t.Parallel()
	t.Run("an object of another state", func(t *testing.T) {
		s := story.New(t)
		other := strings.Replace(story.Deployment, "replicas: 3", "replicas: 1", 1)
		refused := story.Saying("Object Already Exists", "import {", "to = k8sconnect_manifest.", `id = "`+s.Expand(story.WebID)+`"`)
		s.Run(
			resource.TestStep{Config: s.Config(story.Deployment), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Deployment))},
			resource.TestStep{
				PreConfig: func() {
					second := story.Recorder{}
					play.Steps(t, play.Case{
						Providers: second.Factories(s.UserAgent + "-second"),
						Steps:     []resource.TestStep{{Config: s.Config(other), ExpectError: refused}},
					})
				},
				Config:           s.Config(story.Deployment),
				ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
				Check:            s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3"}),
			},
		)
	})
	t.Run("an object of kubectl's, then imported as the error says", func(t *testing.T) {
		s := story.New(t)
		s.Run(
			resource.TestStep{
				PreConfig:   func() { s.As("kubectl-create").Create(story.Deployment); s.AwaitRollouts() },
				Config:      s.Config(story.Deployment),
				ExpectError: story.Saying("Object Already Exists", "import {", `id = "`+s.Expand(story.WebID)+`"`),
			},
			firstApply(s, provenances["kubectl create"], s.ImportBlock(story.WebID)+s.Config(story.Deployment)),
		)
	})
}

// An empty map that comes with an import has no value, and so the first plan changes none.
func TestImportOfEmptyMaps(t *testing.T) {
	s := story.New(t)
	body := strings.Replace(story.Deployment, "containers:", "volumes: [{name: tmp, emptyDir: {}}]\n      containers:", 1)
	s.Run(resource.TestStep{
		PreConfig: func() { s.As("kubectl-create").Create(body) },
		Config:    s.ImportBlock(story.WebID) + s.Config(body),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectOnly(story.ManagedState),
			story.ExpectOwner(`spec.template.spec.volumes[name="tmp"].emptyDir`, "kubectl-create", "k8sconnect"),
		),
		Check: s.ExpectJSONPath(story.Web, map[string]string{"{.spec.template.spec.volumes[0].emptyDir}": "{}"}),
	})
}
