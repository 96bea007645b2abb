package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// slim is shop without them.
const slim = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: nginx:1.25
        env: [{name: MODE, value: live}]
        ports: [{containerPort: 80}]
`

// The provider adopts what kubectl made with everything that the manifest declares and nothing else. What the
// manifest drops later is gone from the server.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	makers := map[string]struct {
		name string
		make func(m story.Manager, body string)
	}{
		"kubectl create":             {"kubectl-create", func(m story.Manager, body string) { m.Create(body) }},
		"kubectl run":                {"kubectl-run", func(m story.Manager, body string) { m.Create(body) }},
		"kubectl apply, client side": {"kubectl-client-side-apply", func(m story.Manager, body string) { m.ApplyClientSide(body) }},
	}
	for name, maker := range makers {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{
					PreConfig: func() { maker.make(s.As(maker.name), story.Shop); s.AwaitRollouts() },
					Config:    s.ImportBlock(story.WebID) + s.Config(story.Shop),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("spec.replicas", maker.name, "k8sconnect"),
						story.ExpectOwner(story.ImageField, maker.name, "k8sconnect"),
						story.ExpectOwner("spec.progressDeadlineSeconds", maker.name, maker.name),
						story.ExpectOwner(story.AppContainer+".imagePullPolicy", maker.name, maker.name),
						story.ExpectOnly(story.CoOwners),
						// The import wrote the defaulted keys, too.
						story.ExpectOnly(story.ManagedState, story.AppContainer+`.ports[containerPort=443,protocol="TCP"].protocol: TCP -> (absent)`,
							story.AppContainer+`.ports[containerPort=80,protocol="TCP"].protocol: TCP -> (absent)`),
						s.ExpectPrediction(story.Shop),
						s.ExpectNoWarning(),
					),
					Check: story.LiveChecks(
						s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
						s.ExpectOwners(story.Web, "metadata.labels.team", "k8sconnect"),
						s.ExpectOwners(story.Web, story.AppContainer+".imagePullPolicy", maker.name),
						s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2, "spec.progressDeadlineSeconds": 600}),
					),
				},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(slim),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("spec.replicas", "k8sconnect", story.Absent),
						story.ExpectOwner(`spec.template.spec.containers[name="sidecar"].imagePullPolicy`, maker.name, story.Absent),
						story.ExpectOwner(story.AppContainer+".imagePullPolicy", maker.name, maker.name),
						s.ExpectOnlyWarning("the apply removes 4 fields that yaml_body does not have:",
							`spec.template.spec.containers[name="sidecar"].imagePullPolicy: "IfNotPresent", owned by "`+maker.name),
					),
					Check: story.LiveChecks(
						s.ExpectLive(story.Web, map[string]any{"spec.replicas": 1, "metadata.labels.team": story.Absent}),
						s.ExpectContainerOrder("app"),
						s.ExpectJSONPath(story.Web, map[string]string{
							"{.spec.template.spec.containers[0].env[*].name}":            "MODE",
							"{.spec.template.spec.containers[0].ports[*].containerPort}": "80",
						}),
					),
				},
			)
		})
	}
}

// Controllers keep their claims whatever their names, and so does everybody who is not listed. A listed manager that
// applies loses its own.
func TestTakeOverSparesOthers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		argument string
		made     string
		want     []string
	}{
		"a manager that is not listed":    {"", "console", []string{"console", "helm", "k8sconnect"}},
		"a listed manager":                {`take_over_managers = ["console"]`, "console", []string{"helm", "k8sconnect"}},
		"the defaults are replaced":       {`take_over_managers = ["console"]`, "kubectl-create", []string{"helm", "k8sconnect", "kubectl-create"}},
		"nothing is to be taken over":     {"take_over_managers = []", "kubectl-create", []string{"helm", "k8sconnect", "kubectl-create"}},
		"an applier of a listed name":     {`take_over_managers = ["console", "helm"]`, "console", []string{"k8sconnect"}},
		"the defaults where none is said": {"", "kubectl-create", []string{"helm", "k8sconnect"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			step := resource.TestStep{
				PreConfig: func() {
					s.As(tt.made).Create(story.Deployment)
					s.As("helm").Apply(story.Deployment)
				},
				Config: s.ImportBlock(story.WebID) + s.Config(story.Deployment, tt.argument),
				Check: story.LiveChecks(
					s.ExpectOwners(story.Web, story.ImageField, tt.want...),
					s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
				),
			}
			s.Run(step)
		})
	}
}

// A field that kubectl took from us later is taken over again, a sidecar that it added stays its own.
func TestTakeOverAgain(t *testing.T) {
	s := story.New(t)
	csa := s.As("kubectl-client-side-apply")
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				csa.Patch(story.Web, `{"metadata":{"labels":{"theirs":"x"}},"spec":{"replicas":5}}`)
			}),
			Config: s.Config(story.WithReplicas(5)),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "spec.replicas: kubectl-client-side-apply -> k8sconnect"),
				story.ExpectOnly(story.CoOwners),
				s.ExpectNoWarning(),
			),
			Check: story.LiveChecks(
				s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
				s.ExpectOwners(story.Web, "metadata.labels.theirs", "kubectl-client-side-apply"),
			),
		},
		resource.TestStep{
			Config: s.Config(story.WithReplicas(0)),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOwner("spec.replicas", "k8sconnect", story.Absent),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 1, "metadata.labels.theirs": "x"}),
		},
	)
}

// An emptied map that another manager owns, without any of its entries, is no conflict.
func TestTakeOverOfAnEmptiedMap(t *testing.T) {
	s := story.New(t)
	emptied := strings.Replace(story.Shop, "labels: {app: web, team: shop}", "labels: {}", 1)
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-client-side-apply").ApplyClientSide(story.Shop) },
			Config:    s.ImportBlock(story.WebID) + s.Config(story.Shop),
			Check:     s.ExpectNoOwner(story.Web, "metadata.labels"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("flux").Apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {}}\n")
			}),
			Config: s.Config(emptied, story.OrFail),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, "metadata.labels.app: web -> (absent)", "metadata.labels.team: shop -> (absent)"),
				s.ExpectPrediction(emptied),
				s.ExpectOnlyWarning("the apply shares a field that others own with the same value:", `metadata.labels: "{}", owned by "flux"`),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"metadata.labels.app": story.Absent}),
		},
	)
}

// A field that leaves the manifest in the apply that first takes over is removed, too.
func TestTakeOverOfWhatLeaves(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-create").Create(story.Shop) },
			Config:    s.ImportBlock(story.WebID) + s.Config(story.Shop, "take_over_managers = []"),
			Check:     s.ExpectOwners(story.Web, `spec.template.spec.containers[name="sidecar"]`, "k8sconnect", "kubectl-create"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(slim),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("spec.replicas", "k8sconnect", story.Absent),
				story.ExpectChange(story.CoOwners, "spec.replicas", "[k8sconnect kubectl-create]", story.Absent),
				story.ExpectOwner(`spec.template.spec.containers[name="sidecar"].imagePullPolicy`, "kubectl-create", story.Absent),
				s.ExpectOnlyWarning("the apply removes 4 fields that yaml_body does not have:",
					`spec.template.spec.containers[name="sidecar"].imagePullPolicy: "IfNotPresent", owned by "kubectl-create"`),
			),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 1, "metadata.labels.team": story.Absent}),
				s.ExpectContainerOrder("app"),
			),
		},
	)
}
