package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// A new resource takes the object that kubectl made and a person scaled: the plan says whose fields become
// ours and what changes, and nothing that the configuration leaves to others does.
func TestAdoptExisting(t *testing.T) {
	s := newStory(t)
	cost := s.meter()
	s.run(resource.TestStep{
		PreConfig: func() {
			s.as("kubectl-client-side-apply").applyClientSide(shop)
			s.as("kubectl").scale(web, 5)
			s.as("console").patch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.27"},{"name":"sidecar","image":"busybox:1.36"}]}}}}`)
			cost.start()
		},
		Config: s.config(shop, adopting, `ignore_fields = ["spec.template.spec.containers[*].image"]`),
		ConfigPlanChecks: checks(
			expectAction(plancheck.ResourceActionCreate),
			s.expectPlanSays("Existing Object Adopted: Deployment", s.expand("Deployment NS/web (apps/v1) exists and is not in this state"),
				`  metadata.labels.team: "kubectl-client-side-apply" -> "k8sconnect"`,
				`  spec.replicas: "kubectl" -> "k8sconnect"`),
			s.expectPlanSays("Field Ownership Conflict", `spec.replicas: "5" -> "2", owned by "kubectl"`),
			expectUnknown(address, fieldOwnership, coOwners, managedState),
			// The dry-run of a new object, the object, and the dry-run of an update.
			cost.plans("get deployments NS/web 200", "patch deployments NS/web dry-run 200", "patch deployments NS/web dry-run 200"),
		),
		Check: lives(
			s.expectOwners(web, "spec.replicas", "k8sconnect"),
			s.expectOwners(web, "metadata.labels.team", "k8sconnect"),
			s.expectLive(web, map[string]any{"spec.replicas": 2}),
			s.expectContainer(web, "app", "image", "nginx:1.27"),
		),
	})
}

// Whatever others do between the plan and the apply, the apply does what the configuration says.
func TestAdoptExistingMeanwhile(t *testing.T) {
	const target = "v1 ConfigMap web"
	for name, tc := range map[string]struct {
		before, meanwhile func(*story)
	}{
		"it changes": {
			before:    func(s *story) { s.as("kubectl-create").create(configMap) },
			meanwhile: func(s *story) { s.as("console").patch(target, `{"data":{"colour":"blue","z":"theirs"}}`) },
		},
		"it comes into being": {
			before:    func(*story) {},
			meanwhile: func(s *story) { s.as("kubectl-create").create(configMap) },
		},
		"it goes": {
			before:    func(s *story) { s.as("kubectl-create").create(configMap) },
			meanwhile: func(s *story) { s.as("console").remove(target) },
		},
		"it is created anew": {
			before: func(s *story) { s.as("kubectl-create").create(configMap) },
			meanwhile: func(s *story) {
				s.as("console").remove(target)
				s.as("console").create(configMap)
			},
		},
		"nothing, and there is none": {before: func(*story) {}, meanwhile: func(*story) {}},
		"an apply that was killed has left it": {
			before:    func(s *story) { s.as("k8sconnect").apply(configMap) },
			meanwhile: func(*story) {},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(resource.TestStep{
				PreConfig:        func() { tc.before(s) },
				Config:           s.config(configMap, adopting),
				ConfigPlanChecks: checks(meanwhile(func() { tc.meanwhile(s) })),
				Check:            s.expectLive(target, map[string]any{"data.colour": "red"}),
			})
		})
	}
}

// What cannot be adopted, and what should not be, stays as it is.
func TestAdoptExistingRefused(t *testing.T) {
	const target = "v1 ConfigMap web"
	const sealed = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\nimmutable: true\ndata: {a: sealed}\n"
	for name, tc := range map[string]struct {
		existing, body string
		arguments      []string
		says           []string
	}{
		"without adopt_existing": {
			existing: configMap, body: configMap,
			says: []string{"Object Already Exists", "is not in this state, so it was not touched.", "import {", "Or set adopt_existing = true"},
		},
		"an immutable object that differs": {
			existing: sealed, body: configMap, arguments: []string{adopting},
			says: []string{"Object Cannot Be Adopted", "fields that cannot be changed: data", "Write their live values into yaml_body"},
		},
		"conflicts that are not wanted": {
			existing: configMap, body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {colour: other}\n",
			arguments: []string{adopting, `on_conflict = "fail"`},
			says:      []string{"Field Ownership Conflict", `on_conflict is "fail"`, "data.colour"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			kept := s.sight(target)
			s.run(
				resource.TestStep{
					PreConfig: func() {
						s.as("console").create(tc.existing)
						must(t, kept.see(nil))
					},
					Config:      s.config(tc.body, tc.arguments...),
					ExpectError: saying(tc.says...),
				},
				resource.TestStep{Config: s.providerBlock(), Check: kept.expectKept},
			)
		})
	}
}

// An apply that was killed may have left an object of ours alone: the refusal says so.
func TestExistingOrphan(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		PreConfig:   func() { s.as("k8sconnect").apply(configMap) },
		Config:      s.config(configMap),
		ExpectError: saying("Object Already Exists", "Nobody else owns any of its fields", "cut short may have created it"),
	})
}

// Another resource's object is not adopted, in whatever order the two are planned.
func TestAdoptExistingOfAnotherResource(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(configMap)},
		resource.TestStep{
			Config:      s.config(configMap) + s.manifest("second", configMap, adopting),
			ExpectError: saying("Object Managed Twice"),
		},
		resource.TestStep{Config: s.config(configMap)},
	)
}

// With create_before_destroy a new resource meets the object that it is to replace. It takes no object that
// is its own already, and the object is not deleted behind its back.
func TestAdoptExistingSparesReplacedObject(t *testing.T) {
	const target = "v1 ConfigMap web"
	for name, command := range map[string][]string{
		"by -replace": {"apply", "-auto-approve", "-replace=k8sconnect_manifest.test"},
		"by a taint":  {"apply", "-auto-approve"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			w := s.workspace()
			w.configure(s.manifest("test", configMap, adopting, "lifecycle {\n    create_before_destroy = true\n  }"))
			w.do("apply", "-auto-approve")
			if len(command) == 2 {
				w.do("taint", "k8sconnect_manifest.test")
			}
			for range 3 {
				out, err := w.try(command...)
				t.Logf("%v\n%s", err, out)
				if s.gone(target) {
					t.Fatal("the object is gone")
				}
				command = []string{"apply", "-auto-approve"}
			}
		})
	}
}
