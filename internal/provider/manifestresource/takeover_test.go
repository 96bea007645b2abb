package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
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

// What kubectl made is adopted with everything that the manifest declares and nothing besides; what the
// manifest drops later is gone from the server.
func TestTakeOver(t *testing.T) {
	makers := map[string]struct {
		name string
		make func(m manager, body string)
	}{
		"kubectl create":             {"kubectl-create", func(m manager, body string) { m.create(body) }},
		"kubectl apply, client side": {"kubectl-client-side-apply", func(m manager, body string) { m.applyClientSide(body) }},
	}
	for name, maker := range makers {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{
					PreConfig: func() { maker.make(s.as(maker.name), shop) },
					Config:    s.importBlock(webID) + s.config(shop),
					ConfigPlanChecks: checks(
						expectOwner("spec.replicas", maker.name, "k8sconnect"),
						expectOwner(imageField, maker.name, "k8sconnect"),
						expectOwner("spec.progressDeadlineSeconds", maker.name, maker.name),
						expectOwner(appContainer+".imagePullPolicy", maker.name, maker.name),
						expectOnly(coOwners),
						// The import wrote the defaulted keys, too.
						expectOnly(managedState, appContainer+`.ports[containerPort=443,protocol="TCP"].protocol: TCP -> (absent)`,
							appContainer+`.ports[containerPort=80,protocol="TCP"].protocol: TCP -> (absent)`),
						s.expectPrediction(shop),
						s.expectNoWarning(),
					),
					Check: lives(
						s.expectOwners(web, "spec.replicas", "k8sconnect"),
						s.expectOwners(web, "metadata.labels.team", "k8sconnect"),
						s.expectOwners(web, appContainer+".imagePullPolicy", maker.name),
						s.expectLive(web, map[string]any{"spec.replicas": 2, "spec.progressDeadlineSeconds": 600}),
					),
				},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(slim),
					ConfigPlanChecks: checks(
						expectOwner("spec.replicas", "k8sconnect", absent),
						expectOwner(`spec.template.spec.containers[name="sidecar"].imagePullPolicy`, maker.name, absent),
						expectOwner(appContainer+".imagePullPolicy", maker.name, maker.name),
						s.expectOnlyWarning("the apply removes 4 fields that yaml_body does not have:",
							`spec.template.spec.containers[name="sidecar"].imagePullPolicy: "IfNotPresent", owned by "`+maker.name),
					),
					Check: lives(
						s.expectLive(web, map[string]any{"spec.replicas": 1, "metadata.labels.team": absent}),
						s.expectContainerOrder("app"),
						s.expectJSONPath(web, map[string]string{
							"{.spec.template.spec.containers[0].env[*].name}":            "MODE",
							"{.spec.template.spec.containers[0].ports[*].containerPort}": "80",
						}),
					),
				},
			)
		})
	}
}

// Controllers and appliers keep their claims whatever their names, and so does everybody where nothing is
// to be taken over.
func TestTakeOverSparesOthers(t *testing.T) {
	tests := map[string]struct {
		argument string
		made     string
		want     []string
	}{
		"a manager that is not listed":    {"", "console", []string{"console", "helm", "k8sconnect"}},
		"a listed manager":                {`take_over_managers = ["console"]`, "console", []string{"helm", "k8sconnect"}},
		"the defaults are replaced":       {`take_over_managers = ["console"]`, "kubectl-create", []string{"helm", "k8sconnect", "kubectl-create"}},
		"nothing is to be taken over":     {"take_over_managers = []", "kubectl-create", []string{"helm", "k8sconnect", "kubectl-create"}},
		"an applier of a listed name":     {`take_over_managers = ["console", "helm"]`, "console", []string{"helm", "k8sconnect"}},
		"the defaults where none is said": {"", "kubectl-create", []string{"helm", "k8sconnect"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			step := resource.TestStep{
				PreConfig: func() {
					s.as(tt.made).create(deployment)
					s.as("helm").apply(deployment)
				},
				Config: s.importBlock(webID) + s.config(deployment, tt.argument),
				Check: lives(
					s.expectOwners(web, imageField, tt.want...),
					s.expectLive(web, map[string]any{"spec.replicas": 3}),
				),
			}
			s.run(step)
		})
	}
}

// A field that kubectl took from us later is taken over again, a sidecar that it added stays its own.
func TestTakeOverAgain(t *testing.T) {
	s := newStory(t)
	csa := s.as("kubectl-client-side-apply")
	s.run(
		resource.TestStep{Config: s.config(deployment)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				csa.patch(web, `{"metadata":{"labels":{"theirs":"x"}},"spec":{"replicas":5}}`)
			}),
			Config: s.config(withReplicas(5)),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "spec.replicas: kubectl-client-side-apply -> k8sconnect"),
				expectOnly(coOwners),
				s.expectNoWarning(),
			),
			Check: lives(
				s.expectOwners(web, "spec.replicas", "k8sconnect"),
				s.expectOwners(web, "metadata.labels.theirs", "kubectl-client-side-apply"),
			),
		},
		resource.TestStep{
			Config: s.config(withReplicas(0)),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOwner("spec.replicas", "k8sconnect", absent),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 1, "metadata.labels.theirs": "x"}),
		},
	)
}

// An emptied map that another manager holds itself, without a part, is no conflict.
func TestTakeOverOfAnEmptiedMap(t *testing.T) {
	s := newStory(t)
	emptied := strings.Replace(shop, "labels: {app: web, team: shop}", "labels: {}", 1)
	s.run(
		resource.TestStep{
			PreConfig: func() { s.as("kubectl-client-side-apply").applyClientSide(shop) },
			Config:    s.importBlock(webID) + s.config(shop),
			Check:     s.expectNoOwner(web, "metadata.labels"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("flux").apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {}}\n")
			}),
			Config: s.config(emptied, orFail),
			ConfigPlanChecks: checks(
				expectOnly(managedState, "metadata.labels.app: web -> (absent)", "metadata.labels.team: shop -> (absent)"),
				s.expectPrediction(emptied),
				s.expectOnlyWarning("the apply shares a field that others own with the same value:", `metadata.labels: "{}", owned by "flux"`),
			),
			Check: s.expectLive(web, map[string]any{"metadata.labels.app": absent}),
		},
	)
}

// What leaves the manifest in the very apply that begins to take over is gone all the same.
func TestTakeOverOfWhatLeaves(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			PreConfig: func() { s.as("kubectl-create").create(shop) },
			Config:    s.importBlock(webID) + s.config(shop, "take_over_managers = []"),
			Check:     s.expectOwners(web, `spec.template.spec.containers[name="sidecar"]`, "k8sconnect", "kubectl-create"),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(slim),
			ConfigPlanChecks: checks(
				expectOwner("spec.replicas", "k8sconnect", absent),
				expectChange(coOwners, "spec.replicas", "[k8sconnect kubectl-create]", absent),
				expectOwner(`spec.template.spec.containers[name="sidecar"].imagePullPolicy`, "kubectl-create", absent),
				s.expectOnlyWarning("the apply removes 4 fields that yaml_body does not have:",
					`spec.template.spec.containers[name="sidecar"].imagePullPolicy: "IfNotPresent", owned by "kubectl-create"`),
			),
			Check: lives(
				s.expectLive(web, map[string]any{"spec.replicas": 1, "metadata.labels.team": absent}),
				s.expectContainerOrder("app"),
			),
		},
	)
}
