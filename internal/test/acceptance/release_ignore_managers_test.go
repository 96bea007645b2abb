package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const ignoreController = `ignore_managers = ["kube-controller-*"]`

// Fields of a listed manager are left to it as soon as it owns them, and are ours again when it gives them up.
func TestIgnoredManager(t *testing.T) {
	s := story.New(t)
	hpa := s.As("kube-controller-manager")
	s.Run(
		resource.TestStep{
			Config: s.Config(story.Deployment, ignoreController),
			Check:  s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { hpa.Scale(story.Web, 5) }),
			Config:    s.Config(story.Deployment, ignoreController),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.ManagedState, "spec.replicas: 5 -> (absent)"),
				story.ExpectOwner("spec.replicas", "kube-controller-manager", "kube-controller-manager"),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply leaves a field to its owner, with the value it has:",
					`spec.replicas: "5", owned by "kube-controller-manager" with subresource "scale"`),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 5}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { hpa.Scale(story.Web, 6) }),
			Config:    s.Config(story.Deployment, ignoreController),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectEmptyPlan(),
				s.ExpectNoWarning(),
			),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1), ignoreController),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 6}),
				s.ExpectJSONPath(story.Web, map[string]string{story.ImagePath: "nginx:1.27"}),
			),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":2}}`) }),
			Config:    s.Config(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1), ignoreController),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("spec.replicas", "kubectl-edit", "k8sconnect"),
				s.ExpectOnlyWarning(`takes a field from another owner`, `spec.replicas: "2" -> "3", owned by "kubectl-edit"`),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
		},
	)
}

// A field that was left to a listed manager, and that this one loses to another one between the plan and the end of the apply, is
// enforced by the next plan.
func TestIgnoredManagerThatLosesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ patch, live string }{
		"to a value": {`{"spec": {"replicas": 2}}`, "2"},
		"to none":    {`{"spec": {"replicas": null}}`, "1"}, // The server's default.
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			newer := s.Config(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1), ignoreController)
			s.Run(
				resource.TestStep{Config: s.Config(story.Deployment, ignoreController)},
				resource.TestStep{
					PreConfig: func() { s.As("kube-controller-manager").Scale(story.Web, 5) },
					Config:    s.Config(story.Deployment, ignoreController),
				},
				resource.TestStep{
					Config:             newer,
					ConfigPlanChecks:   resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.Meanwhile(func() { s.As("kubectl-edit").Patch(story.Web, c.patch) })}},
					Check:              s.ExpectLiveJSON(story.Web, c.live, "spec", "replicas"),
					ExpectNonEmptyPlan: true,
				},
				resource.TestStep{
					Config: newer,
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("spec.replicas", "kubectl-edit", "k8sconnect"), story.ExpectValue("spec.replicas", story.Absent, "3"),
						s.ExpectWarning(`spec.replicas: "`+c.live+`" -> "3", owned by "kubectl-edit"`),
					),
					Check: s.ExpectLiveJSON(story.Web, "3", "spec", "replicas"),
				},
				s.Noop(newer),
			)
		})
	}
}

// A manager that shares our fields gets them, its list items whole or up to their keys, and no value
// changes.
func TestIgnoredManagerThatShares(t *testing.T) {
	s := story.New(t)
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
	declared := strings.Replace(story.Shop, "image: nginx:1.25", "image: nginx:1.25\n        imagePullPolicy: Always", 1)
	s.Run(
		resource.TestStep{Config: s.Config(declared)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("argocd").Apply(theirs) }),
			Config:    s.Config(declared, `ignore_managers = ["argocd"]`),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectChange(story.CoOwners, story.ImageField, "[argocd k8sconnect]", story.Absent),
				story.ExpectChange(story.CoOwners, story.AppContainer+".name", "[argocd k8sconnect]", "[argocd k8sconnect]"),
				story.ExpectChange(story.CoOwners, `spec.template.spec.containers[name="sidecar"]`, "[argocd k8sconnect]", story.Absent),
				story.ExpectOwner(story.AppContainer+".imagePullPolicy", "k8sconnect", "k8sconnect"),
			),
			Check: story.LiveChecks(
				s.ExpectOwners(story.Web, story.ImageField, "argocd"),
				s.ExpectOwners(story.Web, "metadata.labels.team", "argocd"),
				s.ExpectOwners(story.Web, "metadata.labels.app", "k8sconnect"),
				s.ExpectOwners(story.Web, `spec.template.spec.containers[name="sidecar"].name`, "argocd"),
				s.ExpectOwners(story.Web, story.AppContainer+".imagePullPolicy", "k8sconnect"),
				s.ExpectContainerOrder("app", "sidecar"),
			),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("argocd").Apply(strings.Replace(theirs, "1.36", "1.37", 1)) }),
			Config:           s.Config(declared, `ignore_managers = ["argocd"]`),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
	)
}

// A manager that owns only a map or a list itself, and nothing in it any more, is not left the map or the list.
func TestIgnoredManagerThatHoldsTheMapAlone(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-create").Create(story.Shop) },
			Config:    s.ImportBlock(story.WebID) + s.Config(story.Shop),
			Check:     s.ExpectOwners(story.Web, story.AppContainer+".imagePullPolicy", "kubectl-create"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-apply").Apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {}}\n" +
					"spec: {template: {spec: {containers: [{name: app, env: []}]}}}\n")
				s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"other"}}}`)
			}),
			Config: s.Config(story.Shop, `ignore_managers = ["kubectl-*"]`),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership),
				story.ExpectOnly(story.ManagedState, "metadata.labels.team: other -> (absent)"),
			),
			Check: story.LiveChecks(
				s.ExpectOwners(story.Web, "metadata.labels.app", "k8sconnect"),
				s.ExpectOwners(story.Web, story.AppContainer+`.env[name="MODE"].value`, "k8sconnect"),
				s.ExpectLive(story.Web, map[string]any{"metadata.labels.team": "other"}),
			),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(story.Shop, "{name: web, namespace: NS", "{name: web, namespace: NS, annotations: {note: new}", 1), `ignore_managers = ["kubectl-*"]`),
			Check:  s.ExpectLive(story.Web, map[string]any{"metadata.annotations.note": "new", "metadata.labels.team": "other"}),
		},
	)
}

// The list names others: our own claims are never left to ourselves, and ignored paths go on beside it.
func TestIgnoreEverybodyElse(t *testing.T) {
	s := story.New(t)
	everybody := `ignore_managers = ["*"]`
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment, everybody, `ignore_fields = ["spec.selector"]`)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":7}}`) }),
			Config:    s.Config(story.Deployment, everybody, `ignore_fields = ["spec.selector"]`),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, "spec.replicas: 7 -> (absent)"),
			),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 7}),
				s.ExpectOwners(story.Web, story.ImageField, "k8sconnect"),
				s.ExpectNoOwner(story.Web, "spec.selector"),
			),
		},
	)
}

// Bad names fail before any call.
func TestInvalidManagers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ argument, want string }{
		"a star in the middle":   {`ignore_managers = ["a*b"]`, `"a*b" has a * that is not at its end`},
		"an empty name":          {`ignore_managers = [""]`, "a name is empty"},
		"a star to take over":    {`take_over_managers = ["kubectl-*"]`, "Write the whole name of a manager."},
		"a name that is twice":   {`take_over_managers = ["a", "a"]`, `contains "a" twice`},
		"no name":                {`ignore_managers = [null]`, "null"},
		"no name to take over":   {`take_over_managers = [null]`, "null"},
		"a policy nobody has":    {`on_conflict = "warn"`, `Write "force" or "fail".`},
		"an empty name to adopt": {`take_over_managers = [""]`, "a name is empty"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{Config: s.Config(story.Deployment, tt.argument), ExpectError: story.Saying(tt.want)})
		})
	}
}
