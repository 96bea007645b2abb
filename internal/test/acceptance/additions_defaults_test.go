package acceptance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// withDefaults are objects of kinds to which the API server gives values of its own, by what gives them.
var withDefaults = map[string]string{
	"a definition": `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: lamps.NS.example.com},
		spec: {group: NS.example.com, scope: Namespaced, names: {kind: Lamp, plural: lamps},
		versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
	"the schema of a custom resource": story.WidgetHere,
	"a DaemonSet": `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web, namespace: NS}, spec: {selector: {matchLabels: {a: b}},
		template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {no: node}, containers: [{name: app, image: nginx}]}}}}`,
	"an autoscaler": `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: NS}, spec: {maxReplicas: 3,
		behavior: {scaleDown: {stabilizationWindowSeconds: 60}}, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}`,
	"a Job": `{apiVersion: batch/v1, kind: Job, metadata: {name: web, namespace: NS},
		spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: app, image: nginx}]}}}}`,
	"a volume": `{apiVersion: v1, kind: PersistentVolume, metadata: {name: web-NS}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce],
		storageClassName: NS, hostPath: {path: /tmp/web}}}`,
	"a driver": `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: web-NS}, spec: {podInfoOnMount: true}}`,
	"a flow":   `{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: FlowSchema, metadata: {name: web-NS}, spec: {priorityLevelConfiguration: {name: global-default}}}`,
	"a priority level": `{apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, metadata: {name: web-NS},
		spec: {type: Limited, limited: {nominalConcurrencyShares: 1, limitResponse: {type: Reject}}}}`,
	"a LimitRange": `{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {nodeSelector: {no: node}, containers: [{name: app, image: nginx}]}}`,
}

const limitRange = `{apiVersion: v1, kind: LimitRange, metadata: {name: web, namespace: NS},
	spec: {limits: [{type: Container, default: {cpu: 200m}, defaultRequest: {cpu: 100m}}]}}`

// beginnings are how an object of another client comes into the state.
var beginnings = map[string]func(s *story.Story, id, body string, arguments ...string) string{
	"import": func(s *story.Story, id, body string, arguments ...string) string {
		return s.ImportBlock(id) + s.Config(body, arguments...)
	},
	"adoption": func(s *story.Story, _, body string, arguments ...string) string {
		return s.Config(body, append(arguments, story.Adopting)...)
	},
}

// specOf returns the spec of an object as it is on the cluster.
func specOf(s *story.Story, target string) any { return s.Live(target).Object["spec"] }

// No person has written a default, so it is no addition, whoever created the object: nothing refuses it, warns of it or
// removes it.
func TestDefaultsAreNoAdditions(t *testing.T) {
	t.Parallel()
	byKubectlApply := func(s *story.Story, body string) { s.As("kubectl-client-side-apply").ApplyClientSide(body) }
	byKubectlCreate := func(s *story.Story, body string) { s.As("kubectl-create").Create(body) }
	byProgram := func(s *story.Story, body string) { s.As("acme").Create(body) }
	for kind, body := range withDefaults {
		for name, test := range map[string]struct {
			create func(*story.Story, string)
			way    string
		}{
			"kubectl apply, import": {byKubectlApply, "import"}, "kubectl create, import": {byKubectlCreate, "import"},
			"a program, adoption": {byProgram, "adoption"},
		} {
			t.Run(kind+", "+name, func(t *testing.T) { playDefaults(t, body, test.create, beginnings[test.way]) })
		}
	}
}

// playDefaults begins to manage an object that another client has created.
func playDefaults(
	t *testing.T, body string, create func(*story.Story, string), begin func(*story.Story, string, string, ...string) string,
) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	s.InstallKind(story.WidgetDefinition)
	s.As("admin").Create(limitRange)
	object := s.Parse(body)
	target := object.GetAPIVersion() + " " + object.GetKind() + " " + object.GetName()
	id := "apiVersion=" + object.GetAPIVersion() + ",kind=" + object.GetKind() + ",name=" + object.GetName()
	if object.GetNamespace() != "" {
		id += ",namespace=NS"
	}
	create(s, body)
	client := s.ResourceOf(object)
	t.Cleanup(func() { _ = client.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}) })
	before := specOf(s, target)
	stays := func(*terraform.State) error {
		if diff := cmp.Diff(before, specOf(s, target)); diff != "" {
			t.Errorf("the spec (-before +after):\n%s", diff)
		}
		return nil
	}
	config := func(policy string) string { return begin(s, id, body, `on_addition = "`+policy+`"`) }
	s.Run(
		resource.TestStep{Config: config("fail"), Check: stays},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: config("fail"),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: config("remove"), Check: stays,
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: config("remove"), Check: stays,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
	)
}

// What a person wrote beside the defaults is an addition as ever, with the defaults in it.
func TestAdditionsBesideDefaults(t *testing.T) {
	t.Parallel()
	for way, begin := range beginnings {
		t.Run(way, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			const target = "autoscaling/v2 HorizontalPodAutoscaler web"
			const id = "apiVersion=autoscaling/v2,kind=HorizontalPodAutoscaler,namespace=NS,name=web"
			all := withDefaults["an autoscaler"]
			less := strings.Replace(all, "behavior: {scaleDown: {stabilizationWindowSeconds: 60}}, ", "", 1)
			s.As("kubectl-client-side-apply").ApplyClientSide(all)
			s.Run(
				resource.TestStep{Config: begin(s, id, less)},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: begin(s, id, less),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(),
						expectAdditions(manifestAddress, "spec.behavior, kubectl-client-side-apply (person: Update)"),
						s.ExpectOnlyWarning("Fields Added by Others")),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: begin(s, id, less, removing),
					Check: s.ExpectJSONPath(target, map[string]string{"{.spec.behavior}": ""}),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: begin(s, id, less, removing),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
				},
			)
		})
	}
}

// A person's value that equals the default comes back when it is removed. No manager owns it then, and no plan says
// more. The message names the argument that removes it.
func TestRemovedValueThatIsADefault(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ argument, says string }{
		"by on_addition":   {removing, "on_addition cannot keep spec.size away"},
		"by remove_fields": {`remove_fields = ["spec.size"]`, "remove_fields cannot keep spec.size away"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(story.WidgetDefinition)
			s.Provider.TakesAdditions = true
			const target = "NS.example.com/v1 Widget web"
			s.Run(
				resource.TestStep{Config: s.Config(story.WidgetHere)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("kubectl-edit").Patch(s.Expand(target), `{"spec":{"size":4}}`)
						s.As("kubectl-edit").Patch(s.Expand(target), `{"spec":{"size":3}}`)
					}),
					Config:           s.Config(story.WidgetHere, test.argument),
					ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(test.says)),
					Check:            story.LiveChecks(s.ExpectNoOwner(target, "spec.size"), s.ExpectLiveJSON(target, "3", "spec", "size")),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(story.WidgetHere, test.argument),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
				},
			)
		})
	}
}
