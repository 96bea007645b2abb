package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object that is deleted behind our back is planned as new.
func TestDeletedObjectIsPlannedAgain(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl").Remove(story.SettingsTarget) }),
			Config:    s.Config(story.Settings),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate),
				story.ExpectOwner("data.mode", story.Absent, "k8sconnect"),
				story.ExpectValue("data.mode", story.Absent, "on"),
				s.ExpectPrediction(story.Settings),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.mode: k8sconnect"), expectLiveUID(s, story.SettingsTarget)),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"level":"1","mode":"on"}`, "data"),
		},
	)
}

// expectLiveUID asserts that the state names the object that is live.
func expectLiveUID(s *story.Story, target string) statecheck.StateCheck {
	return story.StateCheck(func(attributes map[string]any) error {
		want := string(s.Live(target).GetUID())
		if got := story.Entry(attributes, "object_ref", "uid"); got != want {
			return fmt.Errorf("state: object_ref.uid is %s, want %s", got, want)
		}
		return nil
	})
}

// A field that another client removes has no owner and no value: the plan puts both back. No manager gave it another
// value, so there is nothing to tell.
func TestRemovedFieldIsPutBack(t *testing.T) {
	s := story.NewCompared(t)
	body := strings.Replace(story.Deployment, "replicas: 3", "minReadySeconds: 4", 1)
	s.Run(
		resource.TestStep{Config: s.Config(body)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":null},"metadata":{"annotations":{"note":"x"}}}`)
			}),
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership, "spec.minReadySeconds: (absent) -> k8sconnect"),
				story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState, "spec.minReadySeconds: (absent) -> 4"),
				s.ExpectPrediction(body),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "spec.minReadySeconds: k8sconnect", "metadata.annotations.note: kubectl-edit"),
				story.ExpectState(story.ManagedState, "spec.minReadySeconds: 4"),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": 4, "metadata.annotations.note": "x"}),
		},
	)
}

// Another client deletes the object and creates another one of the same name. The plan takes the declared fields from
// them, in place, and leaves the rest. Fields that kubectl created with our value are taken over without a warning.
func TestObjectMadeAnewBySomebodyElse(t *testing.T) {
	s := story.NewCompared(t)
	s.Provider.TakesAdditions = true
	other := story.SettingsWith(`mode: "off", level: "1", theirs: "x"`)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl").Remove(story.SettingsTarget)
				s.As("kubectl-create").Create(other)
			}),
			Config: s.Config(story.Settings),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership, "data.mode: kubectl-create -> k8sconnect", "data.level: kubectl-create -> k8sconnect"),
				story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState, "data.mode: off -> on"),
				s.ExpectPrediction(story.Settings),
				s.ExpectWarnings(`data.mode: "off" -> "on", owned by "kubectl-create" using v1 (kubectl create, last write `, `data.theirs: "x", owned by "kubectl-create"`),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.CoOwners, "data.level: "+story.Absent),
				story.ExpectState(story.FieldOwnership, "data.theirs: kubectl-create", "data.mode: k8sconnect", "data.level: k8sconnect"),
				expectLiveUID(s, story.SettingsTarget),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"level":"1","mode":"on","theirs":"x"}`, "data"),
				s.ExpectOwners(story.SettingsTarget, "data.level", "k8sconnect"),
				s.ExpectOwners(story.SettingsTarget, "data.theirs", "kubectl-create"),
			),
		},
	)
}

// Comments, key order, quotes, anchors, indentation and JSON instead of YAML change nothing: the plan is
// empty, and each costs one GET.
func TestFormattingPlansNothing(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		s.Noop(s.Config("# A comment.\n"+story.Settings+"# Another.\n")),
		s.Noop(s.Config(`
kind: ConfigMap
data:
    level: '1'
    mode: "on"
metadata:
    namespace: 'NS'
    name: settings
apiVersion: "v1"
`)),
		s.Noop(s.Config(`{"kind": "ConfigMap", "apiVersion": "v1", "data": {"mode": "on", "level": "1"}, "metadata": {"namespace": "NS", "name": "settings"}}`)),
		s.Noop(s.Config("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: &n settings, namespace: NS}\ndata:\n  mode: !!str on\n  level: |-\n    1\n")),
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(strings.Replace(story.Settings, `level: "1"`, `level: "1 "`, 1)),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.ManagedState, "data.level: 1 -> 1 "),
				s.ExpectPrediction(strings.Replace(story.Settings, `level: "1"`, `level: "1 "`, 1)),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.level: 1 ")),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"level":"1 ","mode":"on"}`, "data"),
		},
	)
}

// Labels, annotations and fields that other managers add, and equal values that they update, never show as a
// difference, and what they own is in field_ownership.
func TestWhatOthersAddIsNoDifference(t *testing.T) {
	s := story.NewCompared(t)
	s.Provider.TakesAdditions = true
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-annotate").Patch(story.Web, `{"metadata":{"annotations":{"example.com/note":"hello"}}}`)
				s.As("kubectl-client-side-apply").Patch(story.Web, `{"metadata":{"annotations":{"`+lastApplied+`":"{}"}},"spec":{"replicas":3}}`)
				s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"a"}}}`)
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"template":{"metadata":{"annotations":{"restartedAt":"now"}}},"minReadySeconds":2}}`)
			}),
			Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectEmptyPlan(),
				s.ExpectPrediction(story.Deployment),
				s.ExpectOnlyWarning("Fields Added by Others", "others have added 4 fields", "spec.minReadySeconds"),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership,
					"metadata.annotations.example.com/note: kubectl-annotate", "metadata.labels.team: kubectl-label",
					"spec.template.metadata.annotations.restartedAt: kubectl-edit", "spec.replicas: k8sconnect",
					"metadata.annotations."+lastApplied+": kubectl-client-side-apply"),
				story.ExpectState(story.CoOwners, "spec.replicas: "+story.Absent),
				story.ExpectState(story.ManagedState, "metadata.labels.team: "+story.Absent, "spec.minReadySeconds: "+story.Absent),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"metadata.labels.team": "a", "spec.minReadySeconds": 2}),
		},
	)
}

const policyBody = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {audited: "yes"}}
spec:
  template:
    metadata: {annotations: {policy: strict}}
    spec:
      nodeSelector: {zone: a}
      containers:
      - {name: app, env: [{name: PROXY, value: "on"}], securityContext: {runAsNonRoot: true}}
`

// Another applier adds its fields inside our containers and template. An update of ours keeps them all,
// with their owner, and so does an update that drops a field of our own.
func TestUpdateKeepsFieldsOfAnotherApplier(t *testing.T) {
	s := story.NewCompared(t)
	const container = `spec.template.spec.containers[name="app"]`
	newer := strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.26", 1)
	fewer := strings.Replace(newer, "  replicas: 3\n", "", 1)
	kept := story.ExpectState(story.FieldOwnership, "metadata.labels.audited: policy", container+`.env[name="PROXY"].value: policy`,
		container+".securityContext.runAsNonRoot: policy", "spec.template.spec.nodeSelector: policy")
	live := func(image string) resource.TestCheckFunc {
		return story.LiveChecks(
			s.ExpectLive(story.Web, map[string]any{"metadata.labels.audited": "yes",
				"spec.template.metadata.annotations.policy": "strict", "spec.template.spec.nodeSelector.zone": "a"}),
			s.ExpectContainer(story.Web, "app", "env", "[map[name:PROXY value:on]]"),
			s.ExpectContainer(story.Web, "app", "securityContext.runAsNonRoot", "true"),
			s.ExpectContainer(story.Web, "app", "image", image),
		)
	}
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("policy").Apply(policyBody) }),
			Config:    s.Config(newer),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState, container+".image: nginx:1.25 -> nginx:1.26"),
				s.ExpectPrediction(newer),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(kept),
			Check:             live("nginx:1.26"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(fewer),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "spec.replicas: k8sconnect -> (absent)"),
				story.ExpectOnly(story.ManagedState, "spec.replicas: 3 -> (absent)"),
				s.ExpectPrediction(fewer),
				s.ExpectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body, and the API server gives it its default:\n",
					`spec.replicas: "3" -> "1" (default)`),
			),
			ConfigStateChecks: story.StateChecks(kept),
			Check:             story.LiveChecks(live("nginx:1.26"), s.ExpectLive(story.Web, map[string]any{"spec.replicas": 1})),
		},
	)
}
