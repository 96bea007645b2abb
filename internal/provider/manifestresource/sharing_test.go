package manifestresource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// writer is a way in which somebody else writes spec.replicas.
type writer struct {
	manager string
	// named is the manager as warnings name it, with what is known of it.
	named string
	write func(m manager, replicas int)
	// arguments of the resource.
	arguments []string
}

var writers = map[string]writer{
	"kubectl apply, client side": {
		manager: "kubectl-client-side-apply",
		named:   `"kubectl-client-side-apply" using apps/v1 (kubectl apply, last write `,
		write: func(m manager, replicas int) {
			m.patch(web, fmt.Sprintf(`{"metadata":{"annotations":{%q:"{}"}},"spec":{"replicas":%d}}`, lastApplied, replicas))
		},
		arguments: []string{"take_over_managers = []"},
	},
	"kubectl edit": {
		manager: "kubectl-edit",
		named:   `"kubectl-edit" using apps/v1 (kubectl edit, last write `,
		write: func(m manager, replicas int) {
			m.patch(web, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
		},
	},
	"kubectl scale": {
		manager: "kubectl",
		named:   `"kubectl" with subresource "scale" using apps/v1 (kubectl scale)`,
		write:   func(m manager, replicas int) { m.scale(web, replicas) },
	},
	"kubectl apply, server side": {
		manager: "kubectl",
		named:   `"kubectl" (kubectl apply --server-side, last write `,
		write: func(m manager, replicas int) {
			m.apply(fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {replicas: %d}}", replicas))
		},
	},
}

// Somebody else writes another value: the plan takes the field back and says from whom. The manifest then
// asks for the value that they wrote: both own it, and when the manifest leaves the field out, the value
// stays with them, which the plan says. What client-side applies own stays theirs where it is not to be
// taken over.
func TestReplicasOfOthers(t *testing.T) {
	for name, other := range writers {
		t.Run(name, func(t *testing.T) { playReplicas(newStory(t), other) })
	}
}

func playReplicas(s *story, other writer) {
	m := s.as(other.manager)
	both := "[k8sconnect " + other.manager + "]"
	s.run(
		resource.TestStep{Config: s.config(deployment, other.arguments...)},
		resource.TestStep{
			PreConfig: s.anew(func() { other.write(m, 5) }),
			Config:    s.config(deployment, other.arguments...),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership, "spec.replicas: "+other.manager+" -> k8sconnect"),
				expectOnly(coOwners),
				expectOnly(managedState, "spec.replicas: 5 -> 3"),
				s.expectPrediction(deployment),
				s.expectOnlyWarning("Field Ownership Conflict: ", "the apply takes back a field that another owner changed:\n",
					`spec.replicas: "5" -> "3", owned by `+other.named, "\n  ignore_fields = [\"spec.replicas\"]"),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "spec.replicas: k8sconnect"),
				expectState(managedState, "spec.replicas: 3"),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { other.write(m, 5) }),
			Config:    s.config(withReplicas(5), other.arguments...),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(coOwners, "spec.replicas: (absent) -> "+both),
				expectOnly(managedState),
				s.expectPrediction(withReplicas(5)),
				s.expectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					`spec.replicas: "5", owned by `+other.named),
			),
			ConfigStateChecks: states(
				expectState(coOwners, "spec.replicas: "+both),
				expectState(managedState, "spec.replicas: 5"),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 5}),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(withReplicas(0), other.arguments...),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(coOwners, "spec.replicas: "+both+" -> (absent)"),
				expectOnly(managedState, "spec.replicas: 5 -> (absent)"),
				s.expectPrediction(withReplicas(0)),
				s.expectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body and stays on the object, because others own it:\n",
					`spec.replicas: "5", owned by `+other.named),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "spec.replicas: "+other.manager),
				expectState(coOwners, "spec.replicas: "+absent),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 5}),
		},
	)
}

// Fields that leave the manifest and that nobody else owns are gone, or back at the server's default.
func TestSoleOwnerDropsFields(t *testing.T) {
	s := newStory(t)
	full := strings.Replace(deployment, "replicas: 3", "replicas: 3\n  minReadySeconds: 4\n  revisionHistoryLimit: 2", 1)
	full = strings.Replace(full, "{name: web, namespace: NS}", "{name: web, namespace: NS, annotations: {team: a}}", 1)
	s.run(
		resource.TestStep{
			Config: s.config(full),
			Check:  s.expectLive(web, map[string]any{"spec.minReadySeconds": 4, "spec.revisionHistoryLimit": 2, "metadata.annotations.team": "a"}),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(deployment),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership,
					"metadata.annotations.team: k8sconnect -> (absent)",
					"spec.minReadySeconds: k8sconnect -> (absent)",
					"spec.revisionHistoryLimit: k8sconnect -> (absent)"),
				expectOnly(managedState,
					"metadata.annotations.team: a -> (absent)",
					"spec.minReadySeconds: 4 -> (absent)",
					"spec.revisionHistoryLimit: 2 -> (absent)"),
				s.expectPrediction(deployment),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "spec.minReadySeconds: "+absent, "metadata.annotations.team: "+absent),
				expectState(managedState, "spec.revisionHistoryLimit: "+absent),
			),
			Check: s.expectLive(web, map[string]any{
				"spec.minReadySeconds": absent, "spec.revisionHistoryLimit": 10, "metadata.annotations.team": absent, "spec.replicas": 3,
			}),
		},
	)
}

const processor = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.25", resources: {limits: {cpu: CPU}}}
`

// The manifest spells a quantity otherwise than the live object, where somebody else owns it. The server
// compares what is written, so the field is taken, and the warning says that nothing else differs.
func TestOtherSpellingEvicts(t *testing.T) {
	s := newStory(t)
	const field = `spec.template.spec.containers[name="app"].resources.limits.cpu`
	without := strings.Replace(processor, ", resources: {limits: {cpu: CPU}}", "", 1)
	same, other := strings.Replace(processor, "CPU", `"1"`, 1), strings.Replace(processor, "CPU", "1000m", 1)
	edit := `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.25","resources":{"limits":{"cpu":"1"}}}]}}}}`
	s.run(
		resource.TestStep{Config: s.config(without)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(web, edit) }),
			Config:    s.config(same),
			ConfigPlanChecks: checks(
				expectOnly(coOwners, field+": (absent) -> [k8sconnect kubectl-edit]"),
				expectOnly(managedState, field+": (absent) -> 1"),
				s.expectPrediction(same),
				s.expectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					field+`: "1", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write `,
					"A change here takes a shared field from the others; a change of theirs takes it from here, and the next plan takes it back."),
			),
			ConfigStateChecks: states(expectState(coOwners, field+": [k8sconnect kubectl-edit]")),
			Check:             s.expectContainer(web, "app", "resources.limits.cpu", "1"),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(other),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(coOwners, field+": [k8sconnect kubectl-edit] -> (absent)"),
				expectOnly(managedState),
				s.expectPrediction(other),
				s.expectOnlyWarning("the apply takes a field from another owner and changes its value:\n",
					field+`: "1" -> "1000m", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write `,
					"Both own the value it has now; the change here ends their share.",
					`Only the spelling differs; write "1" as the API server does`,
					`ignore_fields = ["spec.template.spec.containers[name=\"app\"].resources.limits.cpu"]`),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, field+": k8sconnect"),
				expectState(coOwners, field+": "+absent),
				expectState(managedState, field+": 1"),
			),
			Check: s.expectContainer(web, "app", "resources.limits.cpu", "1"),
		},
	)
}
