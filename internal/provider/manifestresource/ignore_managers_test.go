package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const ignoreController = `ignore_managers = ["kube-controller-*"]`

// What a listed manager owns is left to it from the moment it owns it, and ours again when it lets go.
func TestIgnoredManager(t *testing.T) {
	s := newStory(t)
	hpa := s.as("kube-controller-manager")
	s.run(
		resource.TestStep{
			Config: s.config(deployment, ignoreController),
			Check:  s.expectOwners(web, "spec.replicas", "k8sconnect"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { hpa.scale(web, 5) }),
			Config:    s.config(deployment, ignoreController),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(managedState, "spec.replicas: 5 -> (absent)"),
				expectOwner("spec.replicas", "kube-controller-manager", "kube-controller-manager"),
				s.expectNoWarning(),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 5}),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { hpa.scale(web, 6) }),
			Config:    s.config(deployment, ignoreController),
			ConfigPlanChecks: checks(
				plancheck.ExpectEmptyPlan(),
				s.expectNoWarning(),
			),
		},
		resource.TestStep{
			Config: s.config(strings.Replace(deployment, "nginx:1.25", "nginx:1.27", 1), ignoreController),
			Check: lives(
				s.expectLive(web, map[string]any{"spec.replicas": 6}),
				s.expectJSONPath(web, map[string]string{imagePath: "nginx:1.27"}),
			),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(web, `{"spec":{"replicas":2}}`) }),
			Config:    s.config(strings.Replace(deployment, "nginx:1.25", "nginx:1.27", 1), ignoreController),
			ConfigPlanChecks: checks(
				expectOwner("spec.replicas", "kubectl-edit", "k8sconnect"),
				s.expectOnlyWarning(`takes a field from another owner`, `spec.replicas: "2" -> "3", owned by "kubectl-edit"`),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 3}),
		},
	)
}

// A manager that shares our fields gets them, its list items whole or up to their keys, and no value
// changes.
func TestIgnoredManagerThatShares(t *testing.T) {
	s := newStory(t)
	const theirs = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {team: shop}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.25"}
      - {name: sidecar, image: "busybox:1.36"}
`
	declared := strings.Replace(shop, "image: nginx:1.25", "image: nginx:1.25\n        imagePullPolicy: Always", 1)
	s.run(
		resource.TestStep{Config: s.config(declared)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("argocd").apply(theirs) }),
			Config:    s.config(declared, `ignore_managers = ["argocd"]`),
			ConfigPlanChecks: checks(
				expectChange(coOwners, imageField, "[argocd k8sconnect]", absent),
				expectChange(coOwners, appContainer+".name", "[argocd k8sconnect]", "[argocd k8sconnect]"),
				expectChange(coOwners, `spec.template.spec.containers[name="sidecar"]`, "[argocd k8sconnect]", absent),
				expectOwner(appContainer+".imagePullPolicy", "k8sconnect", "k8sconnect"),
			),
			Check: lives(
				s.expectOwners(web, imageField, "argocd"),
				s.expectOwners(web, "metadata.labels.team", "argocd"),
				s.expectOwners(web, "metadata.labels.app", "k8sconnect"),
				s.expectOwners(web, `spec.template.spec.containers[name="sidecar"].name`, "argocd"),
				s.expectOwners(web, appContainer+".imagePullPolicy", "k8sconnect"),
				s.expectContainerOrder("app", "sidecar"),
			),
		},
		resource.TestStep{
			PreConfig:        s.anew(func() { s.as("argocd").apply(strings.Replace(theirs, "1.36", "1.37", 1)) }),
			Config:           s.config(declared, `ignore_managers = ["argocd"]`),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
		},
	)
}

// A manager that holds a map or a list itself, and nothing in it any more, is left neither.
func TestIgnoredManagerThatHoldsTheMapAlone(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			PreConfig: func() { s.as("kubectl-create").create(shop) },
			Config:    s.importBlock(webID) + s.config(shop),
			Check:     s.expectOwners(web, appContainer+".imagePullPolicy", "kubectl-create"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-apply").apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {}}\n" +
					"spec: {template: {spec: {containers: [{name: app, env: []}]}}}\n")
				s.as("kubectl-label").patch(web, `{"metadata":{"labels":{"team":"other"}}}`)
			}),
			Config: s.config(shop, `ignore_managers = ["kubectl-*"]`),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership),
				expectOnly(managedState, "metadata.labels.team: other -> (absent)"),
			),
			Check: lives(
				s.expectOwners(web, "metadata.labels.app", "k8sconnect"),
				s.expectOwners(web, appContainer+`.env[name="MODE"].value`, "k8sconnect"),
				s.expectLive(web, map[string]any{"metadata.labels.team": "other"}),
			),
		},
		resource.TestStep{
			Config: s.config(strings.Replace(shop, "{name: web, namespace: NS", "{name: web, namespace: NS, annotations: {note: new}", 1), `ignore_managers = ["kubectl-*"]`),
			Check:  s.expectLive(web, map[string]any{"metadata.annotations.note": "new", "metadata.labels.team": "other"}),
		},
	)
}

// The list names others: our own claims are never left to ourselves, and ignored paths go on beside it.
func TestIgnoreEverybodyElse(t *testing.T) {
	s := newStory(t)
	everybody := `ignore_managers = ["*"]`
	s.run(
		resource.TestStep{Config: s.config(deployment, everybody, `ignore_fields = ["spec.selector"]`)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(web, `{"spec":{"replicas":7}}`) }),
			Config:    s.config(deployment, everybody, `ignore_fields = ["spec.selector"]`),
			ConfigPlanChecks: checks(
				expectOnly(managedState, "spec.replicas: 7 -> (absent)"),
			),
			Check: lives(
				s.expectLive(web, map[string]any{"spec.replicas": 7}),
				s.expectOwners(web, imageField, "k8sconnect"),
				s.expectNoOwner(web, "spec.selector"),
			),
		},
	)
}

// Bad names fail before any call.
func TestInvalidManagers(t *testing.T) {
	tests := map[string]struct{ argument, want string }{
		"a star in the middle":   {`ignore_managers = ["a*b"]`, "may have one *, at its end"},
		"an empty name":          {`ignore_managers = [""]`, "string length must be between 1 and 128"},
		"a star to take over":    {`take_over_managers = ["kubectl-*"]`, "must be the whole name of a manager, without *"},
		"a name that is twice":   {`take_over_managers = ["a", "a"]`, "contains duplicate values"},
		"no name":                {`ignore_managers = [null]`, "null"},
		"no name to take over":   {`take_over_managers = [null]`, "null"},
		"a policy nobody has":    {`on_conflict = "warn"`, `value must be one of: ["force" "fail"]`},
		"an empty name to adopt": {`take_over_managers = [""]`, "string length must be between 1 and 128"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(resource.TestStep{Config: s.config(deployment, tt.argument), ExpectError: saying(tt.want)})
		})
	}
}
