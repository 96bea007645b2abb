package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// writer is a way in which another client writes spec.replicas.
type writer struct {
	manager string
	// named is the manager as warnings name it, with what is known of it.
	named string
	write func(m story.Manager, replicas int)
	// arguments of the resource.
	arguments []string
}

var writers = map[string]writer{
	"kubectl apply, client side": {
		manager: "kubectl-client-side-apply",
		named:   `"kubectl-client-side-apply" using apps/v1 (kubectl apply, last write `,
		write: func(m story.Manager, replicas int) {
			m.Patch(story.Web, fmt.Sprintf(`{"metadata":{"annotations":{%q:"{}"}},"spec":{"replicas":%d}}`, lastApplied, replicas))
		},
		arguments: []string{"take_over_managers = []"},
	},
	"kubectl edit": {
		manager: "kubectl-edit",
		named:   `"kubectl-edit" using apps/v1 (kubectl edit, last write `,
		write: func(m story.Manager, replicas int) {
			m.Patch(story.Web, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
		},
	},
	"kubectl scale": {
		manager: "kubectl",
		named:   `"kubectl" with subresource "scale" using apps/v1 (kubectl scale)`,
		write:   func(m story.Manager, replicas int) { m.Scale(story.Web, replicas) },
	},
	"kubectl apply, server side": {
		manager: "kubectl",
		named:   `"kubectl" (kubectl apply --server-side, last write `,
		write: func(m story.Manager, replicas int) {
			m.Apply(fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {replicas: %d}}", replicas))
		},
	},
}

// Another client writes another value: the plan takes the field back and says from whom. The manifest then asks for the
// value that they wrote: both own it, and when the manifest leaves the field out, the value stays with them, which the
// plan says. What client-side applies own stays theirs where it is not to be taken over.
func TestReplicasOfOthers(t *testing.T) {
	t.Parallel()
	for name, other := range writers {
		t.Run(name, func(t *testing.T) { playReplicas(story.NewCompared(t), other) })
	}
}

func playReplicas(s *story.Story, other writer) {
	m := s.As(other.manager)
	both := "[k8sconnect " + other.manager + "]"
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment, other.arguments...)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { other.write(m, 5) }),
			Config:    s.Config(story.Deployment, other.arguments...),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership, "spec.replicas: "+other.manager+" -> k8sconnect"),
				story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState, "spec.replicas: 5 -> 3"),
				s.ExpectPrediction(story.Deployment),
				s.ExpectOnlyWarning("Field Ownership Conflict: ", "the apply takes back a field that another owner changed:\n",
					`spec.replicas: "5" -> "3", owned by `+other.named, "\n  ignore_fields = [\"spec.replicas\"]"),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "spec.replicas: k8sconnect"),
				story.ExpectState(story.ManagedState, "spec.replicas: 3"),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { other.write(m, 5) }),
			Config:    s.Config(story.WithReplicas(5), other.arguments...),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.CoOwners, "spec.replicas: (absent) -> "+both),
				story.ExpectOnly(story.ManagedState),
				s.ExpectPrediction(story.WithReplicas(5)),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					`spec.replicas: "5", owned by `+other.named),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.CoOwners, "spec.replicas: "+both),
				story.ExpectState(story.ManagedState, "spec.replicas: 5"),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 5}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.WithReplicas(0), other.arguments...),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.CoOwners, "spec.replicas: "+both+" -> (absent)"),
				story.ExpectOnly(story.ManagedState, "spec.replicas: 5 -> (absent)"),
				s.ExpectPrediction(story.WithReplicas(0)),
				s.ExpectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body and stays on the object, because others own it:\n",
					`spec.replicas: "5", owned by `+other.named),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "spec.replicas: "+other.manager),
				story.ExpectState(story.CoOwners, "spec.replicas: "+story.Absent),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 5}),
		},
	)
}

// Fields that leave the manifest and that no other manager owns are gone, or back at the server's default.
func TestSoleOwnerDropsFields(t *testing.T) {
	s := story.NewCompared(t)
	full := strings.Replace(story.Deployment, "replicas: 3", "replicas: 3\n  minReadySeconds: 4\n  revisionHistoryLimit: 2", 1)
	full = strings.Replace(full, "{name: web, namespace: NS}", "{name: web, namespace: NS, annotations: {team: a}}", 1)
	s.Run(
		resource.TestStep{
			Config: s.Config(full),
			Check:  s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": 4, "spec.revisionHistoryLimit": 2, "metadata.annotations.team": "a"}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership,
					"metadata.annotations.team: k8sconnect -> (absent)",
					"spec.minReadySeconds: k8sconnect -> (absent)",
					"spec.revisionHistoryLimit: k8sconnect -> (absent)"),
				story.ExpectOnly(story.ManagedState,
					"metadata.annotations.team: a -> (absent)",
					"spec.minReadySeconds: 4 -> (absent)",
					"spec.revisionHistoryLimit: 2 -> (absent)"),
				s.ExpectPrediction(story.Deployment),
				s.ExpectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body, and the API server gives it its default:\n",
					`spec.revisionHistoryLimit: "2" -> "10" (default)`),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "spec.minReadySeconds: "+story.Absent, "metadata.annotations.team: "+story.Absent),
				story.ExpectState(story.ManagedState, "spec.revisionHistoryLimit: "+story.Absent),
			),
			Check: s.ExpectLive(story.Web, map[string]any{
				"spec.minReadySeconds": story.Absent, "spec.revisionHistoryLimit": 10, "metadata.annotations.team": story.Absent, "spec.replicas": 3,
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

// The manifest spells a quantity otherwise than the live object, where another client owns it. The server compares what
// is written, so the field is taken, and the warning says that nothing else differs.
func TestOtherSpellingEvicts(t *testing.T) {
	s := story.NewCompared(t)
	const field = `spec.template.spec.containers[name="app"].resources.limits.cpu`
	without := strings.Replace(processor, ", resources: {limits: {cpu: CPU}}", "", 1)
	same, other := strings.Replace(processor, "CPU", `"1"`, 1), strings.Replace(processor, "CPU", "1000m", 1)
	edit := `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.25","resources":{"limits":{"cpu":"1"}}}]}}}}`
	s.Run(
		resource.TestStep{Config: s.Config(without)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, edit) }),
			Config:    s.Config(same),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.CoOwners, field+": (absent) -> [k8sconnect kubectl-edit]"),
				story.ExpectOnly(story.ManagedState, field+": (absent) -> 1"),
				s.ExpectPrediction(same),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					field+`: "1", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write `,
					"If you change a shared field, you take it from the others. If they change it, they take it from you, and the next plan takes it back."),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.CoOwners, field+": [k8sconnect kubectl-edit]")),
			Check:             s.ExpectContainer(story.Web, "app", "resources.limits.cpu", "1"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(other),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.CoOwners, field+": [k8sconnect kubectl-edit] -> (absent)"),
				story.ExpectOnly(story.ManagedState),
				s.ExpectPrediction(other),
				s.ExpectOnlyWarning("the apply takes a field from another owner with an equivalent value:\n",
					field+`: "1" -> "1000m", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write `,
					"The field is shared now; this change takes it from them.",
					`The values are equivalent; write "1" to share the field`,
					`ignore_fields = ["spec.template.spec.containers[name=\"app\"].resources.limits.cpu"]`),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, field+": k8sconnect"),
				story.ExpectState(story.CoOwners, field+": "+story.Absent),
				story.ExpectState(story.ManagedState, field+": 1"),
			),
			Check: s.ExpectContainer(story.Web, "app", "resources.limits.cpu", "1"),
		},
	)
}

// A list with one owner that an adoption takes over with what the server makes the same value of shows where the two
// differ, and that nothing changes.
func TestEquivalentListIsTaken(t *testing.T) {
	t.Parallel()
	const head = "\nmetadata: {name: web, namespace: NS}\n"
	for name, test := range map[string]struct{ body, target, field, differs string }{
		"ports of Endpoints": {
			"\napiVersion: v1\nkind: Endpoints" + head + "subsets: [{addresses: [{ip: 10.1.1.1}], ports: [{port: 80}]}]\n",
			"v1 Endpoints web", "subsets", `[0].ports[port=80].protocol: "TCP" -> (none)`,
		},
		"ports of a policy": {
			"\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy" + head +
				"spec: {podSelector: {}, policyTypes: [Egress], egress: [{to: [{podSelector: {}}], ports: [{port: 53}]}]}\n",
			"networking.k8s.io/v1 NetworkPolicy web", "spec.egress", `[0].ports[port=53].protocol: "TCP" -> (none)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("editor").Create(test.body)
			s.Run(resource.TestStep{
				Config: s.Config(test.body, "adopt_existing = true"),
				ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(
					"the apply takes a field from another owner with an equivalent value:", test.field+": equivalent (see below), owned by \"editor\"",
					test.differs, "The values are equivalent; write what it has to share the field instead of taking it.")),
			}, s.Noop(s.Config(test.body, "adopt_existing = true")))
		})
	}
}
