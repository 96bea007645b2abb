package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A new resource adopts an object that kubectl created and a person scaled. The plan says which owners lose fields to
// us and which values change. Fields that the configuration leaves to other managers do not change.
func TestAdoptExisting(t *testing.T) {
	s := story.New(t)
	cost := s.Meter()
	s.Run(resource.TestStep{
		PreConfig: func() {
			s.As("kubectl-client-side-apply").ApplyClientSide(story.Shop)
			s.As("kubectl").Scale(story.Web, 5)
			s.As("console").Patch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.27"},{"name":"sidecar","image":"busybox:1.36"}]}}}}`)
			cost.Start()
		},
		Config: s.Config(story.Shop, story.Adopting, `ignore_fields = ["spec.template.spec.containers[*].image"]`),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectAction(plancheck.ResourceActionCreate),
			s.ExpectPlanSays("Existing Object Adopted: Deployment", s.Expand("Deployment NS/web (apps/v1) exists and is not in this state"),
				`  metadata.labels.team: "kubectl-client-side-apply" -> "k8sconnect"`,
				`  spec.replicas: "kubectl" -> "k8sconnect"`),
			s.ExpectPlanSays("Field Ownership Conflict", `spec.replicas: "5" -> "2", owned by "kubectl"`),
			story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners, story.ManagedState),
			// The dry-run of a new object, the object, and the dry-run of an update.
			cost.Plans("get deployments NS/web 200", "patch deployments NS/web dry-run 200", "patch deployments NS/web dry-run 200"),
		),
		Check: story.LiveChecks(
			s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
			s.ExpectOwners(story.Web, "metadata.labels.team", "k8sconnect"),
			s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2}),
			s.ExpectContainer(story.Web, "app", "image", "nginx:1.27"),
		),
	})
}

// Whatever others do between the plan and the apply, the apply does what the configuration says.
func TestAdoptExistingMeanwhile(t *testing.T) {
	t.Parallel()
	const target = "v1 ConfigMap web"
	for name, tc := range map[string]struct {
		before, meanwhile func(*story.Story)
	}{
		"it changes": {
			before:    func(s *story.Story) { s.As("kubectl-create").Create(story.ConfigMap) },
			meanwhile: func(s *story.Story) { s.As("console").Patch(target, `{"data":{"colour":"blue","z":"theirs"}}`) },
		},
		"it comes into being": {
			before:    func(*story.Story) {},
			meanwhile: func(s *story.Story) { s.As("kubectl-create").Create(story.ConfigMap) },
		},
		"it goes": {
			before:    func(s *story.Story) { s.As("kubectl-create").Create(story.ConfigMap) },
			meanwhile: func(s *story.Story) { s.As("console").Remove(target) },
		},
		"it is created again": {
			before: func(s *story.Story) { s.As("kubectl-create").Create(story.ConfigMap) },
			meanwhile: func(s *story.Story) {
				s.As("console").Remove(target)
				s.As("console").Create(story.ConfigMap)
			},
		},
		"nothing, and no object exists": {before: func(*story.Story) {}, meanwhile: func(*story.Story) {}},
		"an apply that was killed has left it": {
			before:    func(s *story.Story) { s.As("k8sconnect").Apply(story.ConfigMap) },
			meanwhile: func(*story.Story) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{
				PreConfig:        func() { tc.before(s) },
				Config:           s.Config(story.ConfigMap, story.Adopting),
				ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() { tc.meanwhile(s) })),
				Check:            s.ExpectLive(target, map[string]any{"data.colour": "red"}),
			})
		})
	}
}

// Objects that cannot be adopted, and objects that should not be, stay as they are.
func TestAdoptExistingRefused(t *testing.T) {
	t.Parallel()
	const target = "v1 ConfigMap web"
	const sealed = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\nimmutable: true\ndata: {a: sealed}\n"
	for name, tc := range map[string]struct {
		existing, body string
		arguments      []string
		says           []string
	}{
		"without adopt_existing": {
			existing: story.ConfigMap, body: story.ConfigMap,
			says: []string{"Object Already Exists", "is not in this state, so it was not touched.", "import {", "Or set adopt_existing = true"},
		},
		"an immutable object that differs": {
			existing: sealed, body: story.ConfigMap, arguments: []string{story.Adopting},
			says: []string{"Object Cannot Be Adopted", "fields that cannot be changed: data", "Set their live values in yaml_body"},
		},
		"conflicts that are not wanted": {
			existing: story.ConfigMap, body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {colour: other}\n",
			arguments: []string{story.Adopting, `on_conflict = "fail"`},
			says:      []string{"Field Ownership Conflict", `on_conflict is "fail"`, "data.colour"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			kept := s.Sight(target)
			s.Run(
				resource.TestStep{
					PreConfig: func() {
						s.As("console").Create(tc.existing)
						story.Must(t, kept.See(nil))
					},
					Config:      s.Config(tc.body, tc.arguments...),
					ExpectError: story.Saying(tc.says...),
				},
				resource.TestStep{Config: s.ProviderBlock(), Check: kept.ExpectKept},
			)
		})
	}
}

// An apply that was killed may have left an object of ours alone: the refusal says so.
func TestExistingOrphan(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		PreConfig:   func() { s.As("k8sconnect").Apply(story.ConfigMap) },
		Config:      s.Config(story.ConfigMap),
		ExpectError: story.Saying("Object Already Exists", "Nobody else owns any of its fields", "interrupted apply of this configuration may have created it, or another state, workspace or checkout of it manages it"),
	})
}

// An atomic map that loses a key is told once, with its owner.
func TestAdoptExistingWithAnAtomicMap(t *testing.T) {
	s := story.New(t)
	budget := func(labels string) string {
		return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: NS}\nspec: {minAvailable: 1, selector: {matchLabels: {" + labels + "}}}\n"
	}
	s.As("kubectl-client-side-apply").ApplyClientSide(budget("a: b, c: d"))
	w := s.HostedWorkspace()
	w.Configure(s.Manifest("test", budget("a: b"), story.Adopting))
	out := w.Exits(story.Changes, "plan", "-detailed-exitcode")
	if !strings.Contains(out, "spec.selector:") || strings.Contains(out, "spec.selector.matchLabels.c") || strings.Contains(out, "nobody owns") {
		t.Errorf("the plan says:\n%s", out)
	}
	w.Do("apply", "-auto-approve")
	w.Do("plan", "-detailed-exitcode")
}

// Another resource's object is not adopted, in whatever order the two are planned.
func TestAdoptExistingOfAnotherResource(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			Config:      s.Config(story.ConfigMap) + s.Manifest("second", story.ConfigMap, story.Adopting),
			ExpectError: story.Saying("Object Managed Twice"),
		},
		resource.TestStep{Config: s.Config(story.ConfigMap)},
	)
}

// In one apply, a removed block forgets a resource and another one adopts its object. Terraform does not read what it
// forgets, and OpenTofu does.
func TestAdoptExistingOfAForgottenResource(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string][]string{"by a new wish": nil, "as before": {story.Adopting}} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			kept := s.Sight("v1 ConfigMap web")
			w.Configure(s.Manifest("test", story.ConfigMap, arguments...))
			w.Do("apply", "-auto-approve")
			story.Must(t, kept.See(nil))
			w.Configure(s.Manifest("second", story.ConfigMap, story.Adopting), "removed {\n  from = k8sconnect_manifest.test\n  lifecycle {\n    destroy = false\n  }\n}\n")
			if out := w.Do("apply", "-auto-approve"); !strings.Contains(out, "Existing Object Adopted") {
				t.Errorf("the plan does not tell of the adoption:\n%s", out)
			}
			story.Must(t, kept.ExpectKept(nil))
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// With create_before_destroy, a new resource finds the object that it is to replace. It does not adopt the
// object of its own predecessor, and the object is not deleted.
func TestAdoptExistingSparesReplacedObject(t *testing.T) {
	t.Parallel()
	const target = "v1 ConfigMap web"
	for name, command := range map[string][]string{
		"by -replace": {"apply", "-auto-approve", "-replace=k8sconnect_manifest.test"},
		"by a taint":  {"apply", "-auto-approve"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			w.Configure(s.Manifest("test", story.ConfigMap, story.Adopting, "lifecycle {\n    create_before_destroy = true\n  }"))
			w.Do("apply", "-auto-approve")
			if len(command) == 2 {
				w.Do("taint", "k8sconnect_manifest.test")
			}
			for range 3 {
				out, err := w.Try(command...)
				t.Logf("%v\n%s", err, out)
				if s.Gone(target) {
					t.Fatal("the object is gone")
				}
				command = []string{"apply", "-auto-approve"}
			}
		})
	}
}
