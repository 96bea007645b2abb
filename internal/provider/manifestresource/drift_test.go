package manifestresource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// An object that is deleted behind our back is planned as new.
func TestDeletedObjectIsPlannedAgain(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl").remove(settingsTarget) }),
			Config:    s.config(settings),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				expectOwner("data.mode", absent, "k8sconnect"),
				expectValue("data.mode", absent, "on"),
				s.expectPrediction(settings),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "data.mode: k8sconnect"), expectLiveUID(s, settingsTarget)),
			Check:             s.expectLiveJSON(settingsTarget, `{"level":"1","mode":"on"}`, "data"),
		},
	)
}

// expectLiveUID asserts that the state names the object that is live.
func expectLiveUID(s *story, target string) statecheck.StateCheck {
	return stateCheck(func(attributes map[string]any) error {
		want := string(s.live(target).GetUID())
		if got := entry(attributes, "object_ref", "uid"); got != want {
			return fmt.Errorf("state: object_ref.uid is %s, want %s", got, want)
		}
		return nil
	})
}

// A field that somebody removes has no owner and no value: the plan puts both back. Nobody gave it another
// value, so there is nothing to tell.
func TestRemovedFieldIsPutBack(t *testing.T) {
	s := newStory(t)
	body := strings.Replace(deployment, "replicas: 3", "minReadySeconds: 4", 1)
	s.run(
		resource.TestStep{Config: s.config(body)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(web, `{"spec":{"minReadySeconds":null},"metadata":{"annotations":{"note":"x"}}}`)
			}),
			Config: s.config(body),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership, "spec.minReadySeconds: (absent) -> k8sconnect"),
				expectOnly(coOwners),
				expectOnly(managedState, "spec.minReadySeconds: (absent) -> 4"),
				s.expectPrediction(body),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "spec.minReadySeconds: k8sconnect", "metadata.annotations.note: kubectl-edit"),
				expectState(managedState, "spec.minReadySeconds: 4"),
			),
			Check: s.expectLive(web, map[string]any{"spec.minReadySeconds": 4, "metadata.annotations.note": "x"}),
		},
	)
}

// Somebody deletes the object and makes another of the same name. The plan takes what the manifest says
// from them, in place, and leaves the rest. What kubectl created with our value is taken over in silence.
func TestObjectMadeAnewBySomebodyElse(t *testing.T) {
	s := newStory(t)
	other := settingsWith(`mode: "off", level: "1", theirs: "x"`)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl").remove(settingsTarget)
				s.as("kubectl-create").create(other)
			}),
			Config: s.config(settings),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership, "data.mode: kubectl-create -> k8sconnect", "data.level: kubectl-create -> k8sconnect"),
				expectOnly(coOwners),
				expectOnly(managedState, "data.mode: off -> on"),
				s.expectPrediction(settings),
				s.expectOnlyWarning("the apply takes back a field that another owner changed:\n",
					`data.mode: "off" -> "on", owned by "kubectl-create" using v1 (kubectl create, last write `, `ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: states(
				expectState(coOwners, "data.level: "+absent),
				expectState(fieldOwnership, "data.theirs: kubectl-create", "data.mode: k8sconnect", "data.level: k8sconnect"),
				expectLiveUID(s, settingsTarget),
			),
			Check: lives(
				s.expectLiveJSON(settingsTarget, `{"level":"1","mode":"on","theirs":"x"}`, "data"),
				s.expectOwners(settingsTarget, "data.level", "k8sconnect"),
				s.expectOwners(settingsTarget, "data.theirs", "kubectl-create"),
			),
		},
	)
}

// Comments, key order, quotes, anchors, indentation and JSON instead of YAML change nothing: the plan is
// empty, and each costs one GET.
func TestFormattingPlansNothing(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		s.noop(s.config("# A comment.\n"+settings+"# Another.\n")),
		s.noop(s.config(`
kind: ConfigMap
data:
    level: '1'
    mode: "on"
metadata:
    namespace: 'NS'
    name: settings
apiVersion: "v1"
`)),
		s.noop(s.config(`{"kind": "ConfigMap", "apiVersion": "v1", "data": {"mode": "on", "level": "1"}, "metadata": {"namespace": "NS", "name": "settings"}}`)),
		s.noop(s.config("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: &n settings, namespace: NS}\ndata:\n  mode: !!str on\n  level: |-\n    1\n")),
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(strings.Replace(settings, `level: "1"`, `level: "1 "`, 1)),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(managedState, "data.level: 1 -> 1 "),
				s.expectPrediction(strings.Replace(settings, `level: "1"`, `level: "1 "`, 1)),
			),
			ConfigStateChecks: states(expectState(managedState, "data.level: 1 ")),
			Check:             s.expectLiveJSON(settingsTarget, `{"level":"1 ","mode":"on"}`, "data"),
		},
	)
}

// Labels, annotations and fields that others add, and equal values that they update, never show as a difference, and what they own is in
// field_ownership.
func TestWhatOthersAddIsNoDifference(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(deployment)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-annotate").patch(web, `{"metadata":{"annotations":{"example.com/note":"hello"}}}`)
				s.as("kubectl-client-side-apply").patch(web, `{"metadata":{"annotations":{"`+lastApplied+`":"{}"}},"spec":{"replicas":3}}`)
				s.as("kubectl-label").patch(web, `{"metadata":{"labels":{"team":"a"}}}`)
				s.as("kubectl-edit").patch(web, `{"spec":{"template":{"metadata":{"annotations":{"restartedAt":"now"}}},"minReadySeconds":2}}`)
			}),
			Config: s.config(deployment),
			ConfigPlanChecks: checks(
				plancheck.ExpectEmptyPlan(),
				s.expectPrediction(deployment),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership,
					"metadata.annotations.example.com/note: kubectl-annotate", "metadata.labels.team: kubectl-label",
					"spec.template.metadata.annotations.restartedAt: kubectl-edit", "spec.replicas: k8sconnect",
					"metadata.annotations."+lastApplied+": kubectl-client-side-apply"),
				expectState(coOwners, "spec.replicas: "+absent),
				expectState(managedState, "metadata.labels.team: "+absent, "spec.minReadySeconds: "+absent),
			),
			Check: s.expectLive(web, map[string]any{"metadata.labels.team": "a", "spec.minReadySeconds": 2}),
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
	s := newStory(t)
	const container = `spec.template.spec.containers[name="app"]`
	newer := strings.Replace(deployment, "nginx:1.25", "nginx:1.26", 1)
	fewer := strings.Replace(newer, "  replicas: 3\n", "", 1)
	kept := expectState(fieldOwnership, "metadata.labels.audited: policy", container+`.env[name="PROXY"].value: policy`,
		container+".securityContext.runAsNonRoot: policy", "spec.template.spec.nodeSelector: policy")
	live := func(image string) resource.TestCheckFunc {
		return lives(
			s.expectLive(web, map[string]any{"metadata.labels.audited": "yes",
				"spec.template.metadata.annotations.policy": "strict", "spec.template.spec.nodeSelector.zone": "a"}),
			s.expectContainer(web, "app", "env", "[map[name:PROXY value:on]]"),
			s.expectContainer(web, "app", "securityContext.runAsNonRoot", "true"),
			s.expectContainer(web, "app", "image", image),
		)
	}
	s.run(
		resource.TestStep{Config: s.config(deployment)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("policy").apply(policyBody) }),
			Config:    s.config(newer),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership), expectOnly(coOwners),
				expectOnly(managedState, container+".image: nginx:1.25 -> nginx:1.26"),
				s.expectPrediction(newer),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(kept),
			Check:             live("nginx:1.26"),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(fewer),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "spec.replicas: k8sconnect -> (absent)"),
				expectOnly(managedState, "spec.replicas: 3 -> (absent)"),
				s.expectPrediction(fewer),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(kept),
			Check:             lives(live("nginx:1.26"), s.expectLive(web, map[string]any{"spec.replicas": 1})),
		},
	)
}
