package acceptance_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// badRules are lists of rules that the provider refuses before any call.
var badRules = []string{
	`[{ kind = ["Pod"], on_conflict = "fail" }]`,
	`[{ namespace = ["prod"], kinds = ["Pod"], delete_protection = true }]`,
	`[{ delete_protection = true }]`,
	`[{ kinds = ["Pod"] }]`,
	`[{ kinds = [], delete_protection = true }]`,
	`[{ kinds = ["apps/v1/Deployment"], delete_protection = true }]`,
	`[{ names = ["a[b"], delete_protection = true }]`,
	`[{ kinds = "Pod", delete_protection = true }]`,
	`[{ kinds = ["Pod"], on_conflict = "warn" }]`,
	`[{ kinds = ["Pod"], delete_protection = "no" }]`,
	`[{ kinds = ["Pod"], ignore_fields = ["spec.containers[0"] }]`,
	`[{ kinds = ["Pod"], ignore_fields = ["/spec/replicas"] }]`,
	`[{ kinds = ["Pod"], ignore_fields = ["metadata.name"] }]`,
	`[{ kinds = ["Pod"], sensitive_fields = ["data["] }]`,
	`[{ kinds = ["Pod"], ignore_managers = ["a*b"] }]`,
	`[{ kinds = ["Pod"], take_over_managers = ["kubectl-*"] }]`,
	`[{ kinds = ["Pod"], wait = true }]`,
	`[{ kinds = ["Pod"], wait = { timeout = "5m" } }]`,
	`[{ kinds = ["Pod"], wait = { until = "later" } }]`,
	`[{ kinds = ["Pod"], wait = { logs = 1000 } }]`,
	`[{ kinds = ["Pod"], wait = { conditions = { Ready = "yes" } } }]`,
	`[{ kinds = ["Pod"], wait = { until = "ready", fields = { "status.phase" = "Running" } } }]`,
	`{ kinds = ["Pod"], delete_protection = true }`,
	`["Pod"]`,
}

// Each bad rule is refused by validate, in a sentence that says what to write instead.
func TestBadRules(t *testing.T) {
	s := newBadInputStory(t)
	w := s.HostedWorkspace()
	var told strings.Builder
	for _, rules := range badRules {
		story.Must(t, w.Write("provider \"k8sconnect\" {\n  rules = "+rules+"\n}\n"+s.Manifest("test", story.ConfigMap)))
		out, err := w.Try("validate", "-json")
		if err == nil {
			t.Errorf("%s is valid", rules)
		}
		fmt.Fprintf(&told, "== rules = %s\n", rules)
		for _, d := range diagnostics(w, out) {
			fmt.Fprintf(&told, "%s\n", d)
		}
	}
	golden.Compare(t, "planning/rules/bad.txt", told.String())
}

// Rules that are known only after the apply are an error: no plan could say what they leave to other managers.
func TestUnknownRules(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		Config: s.WithRules(`kinds = [terraform_data.kind.output], delete_protection = true`) + story.Later("kind", "ConfigMap") +
			s.Manifest("test", story.ConfigMap),
		ExpectError: story.Saying("rules has a value that is known only after the apply", "Write values that are known in the plan"),
	})
}

// Rules cost no request more, and the plan says once what they name and no object has: kinds that the cluster does not
// serve, and paths that are mistyped. A path that another kind has is no mistake.
func TestRulesCost(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	write := func(rules string) {
		story.Must(t, w.Write("provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n  rules = ["+s.Expand(rules)+"]\n}\n"+
			s.Manifest("web", story.Deployment)+s.Manifest("shop", strings.ReplaceAll(story.Deployment, "name: web", "name: shop"))))
	}
	const mistyped = `{ kinds = ["Deploymnet", "Job", "NoSuch*"], on_conflict = "fail" },
		{ namespaces = ["NS"], ignore_fields = ["spec.replica", "webhooks[*].clientConfig.caBundle"], sensitive_fields = ["spec.templates"] }`
	write(mistyped)
	plan := w.Do("plan", "-no-color", "-parallelism=1")
	for _, text := range []string{"Kind of Rule Not Served", "Field of Rule Not Found"} {
		if n := strings.Count(plan, "Warning: "+text); n != 1 { // The CLI folds the two paths.
			t.Errorf("%d warnings %q:\n%s", n, text, plan)
		}
	}
	_, warnings, _ := strings.Cut(plan, "0 to destroy.\n\n")
	warnings, _, _ = strings.Cut(warnings, "\n\n─")
	places := regexp.MustCompile(`\n  with [^\n]*\n  on [^\n]*\n[^\n]*\n\n`) // Either object may be planned first.
	golden.Compare(t, "planning/rules/warnings.txt", strings.TrimSpace(strings.ReplaceAll(s.Anonymous(places.ReplaceAllString(warnings, "")), "NS/shop", "NS/web"))+"\n")
	const fitting = `{ kinds = ["Deployment"], namespaces = ["NS"], ignore_fields = ["spec.replicas"], delete_protection = true }`
	write(fitting)
	w.Do("apply", "-auto-approve")
	gets := []string{"get deployments NS/shop 200", "get deployments NS/web 200"}
	w.ExpectCost("a plan without changes", gets, "plan")
	write(strings.Replace(fitting, "delete_protection = true", `on_conflict = "fail"`, 1))
	if sent, _ := w.Cost("apply", "-auto-approve"); !slices.Equal(sent, gets) {
		t.Errorf("an apply of a rule that sends nothing sends %q", sent)
	}
	write("")
	var dry []string
	for _, name := range []string{"web", "shop"} {
		dry = append(dry, "patch deployments NS/"+name+" dry-run 200")
	}
	w.ExpectCost("a plan without the rule", append(dry, gets...), "plan")
	state := w.Do("show", "-json")
	if !strings.Contains(state, "rules_applied") {
		t.Error(state)
	}
}

// A kind that the run itself defines is no mistake, whichever resource is planned first.
func TestRulesOfKindsThatTheRunDefines(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	rules := "rules = [" + s.Expand(`{ kinds = ["NS.example.com/Widget", "Gadgit"], on_conflict = "fail" }`) + "]"
	w.ConfigureProvider("{ config_path = \"kubeconfig\" }\n  "+rules, s.Manifest("a", story.ConfigMap)+s.Manifest("definition", story.WidgetDefinition))
	plan := w.Do("plan", "-no-color")
	_, told, _ := strings.Cut(plan, "Warning: Kind of Rule Not Served")
	if strings.Contains(told, "Widget") || !strings.Contains(told, `rules[0] of the provider block: "Gadgit"`) {
		t.Error(plan)
	}
}

// A manifest without a namespace is covered by the namespace that it gets, and one of an unknown name by no rule until
// that is known. Rules by cluster names cover the resources of these clusters.
func TestRulesCoverWhatIsNotWritten(t *testing.T) {
	s := story.New(t)
	block := fmt.Sprintf("provider \"k8sconnect\" {\n  clusters = { eu = { config_path = %q, namespace = %q } }\n  rules = [\n"+
		"{ namespaces = [%[2]q], kinds = [\"ConfigMap\"], delete_protection = false }, { clusters = [\"e?\"], on_conflict = \"fail\" },\n"+
		"{ namespaces = [%[2]q], kinds = [\"Namespace\"], delete_protection = true }]\n}\n", story.ControlPlane().KubeconfigPath(), s.Namespace)
	body := strings.Replace(story.ConfigMap, ", namespace: NS", "", 1)
	want := story.ExpectState("rules_applied", "delete_protection: false", "on_conflict: fail")
	s.Run(
		resource.TestStep{
			Config:            block + s.Manifest("test", body, `cluster_name = "eu"`),
			ConfigStateChecks: story.StateChecks(want),
		},
		resource.TestStep{ // An argument of the resource may turn out to be what the rule adds.
			Config: block + story.Later("policy", "fail") + s.Manifest("test", body, `cluster_name = "eu"`,
				`on_conflict = terraform_data.policy.output`),
			ConfigStateChecks: story.StateChecks(story.ExpectState("rules_applied", "on_conflict: <nil>")),
		},
		resource.TestStep{
			Config: block + story.Later("colour", "blue") + strings.Replace(
				s.Manifest("test", body, `cluster_name = "eu"`), "colour: red", "colour: ${terraform_data.colour.output}", 1),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate)),
			ConfigStateChecks: story.StateChecks(want),
		},
	)
}

// A rule with namespaces covers no cluster-scoped object, whatever namespace its manifest names, and also if the kind is
// known only during the apply.
func TestRulesOfNamespacesCoverNoClusterScopedObject(t *testing.T) {
	t.Parallel()
	const (
		role   = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: NS-web, namespace: NS}}"
		widget = "{apiVersion: NS.example.com/v1, kind: Widget, metadata: {name: web, namespace: NS}, spec: {colour: red}}"
		patch  = "{spec: {shape: round}}"
	)
	definition := strings.Replace(story.WidgetDefinition, "scope: Namespaced", "scope: Cluster", 1)
	for name, config := range map[string]func(s *story.Story) string{
		"a kind that is served": func(s *story.Story) string { return s.Manifest("test", role) },
		"a kind that the same apply defines": func(s *story.Story) string {
			return s.Manifest("definition", definition) + s.Manifest("test", widget)
		},
		"a kind that the same apply defines, and no namespace": func(s *story.Story) string {
			return s.Manifest("definition", definition) + s.Manifest("test", strings.Replace(widget, ", namespace: NS", "", 1)) +
				s.PatchBlock("part", "NS.example.com/v1 Widget web", patch)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			block := s.WithRules(`namespaces = ["*"], delete_protection = true, on_conflict = "fail", remove_fields = ["spec.note"]`)
			none := story.StateChecks(statecheck.ExpectKnownValue(story.Address, tfjsonpath.New("rules_applied"), knownvalue.Null()),
				statecheck.ExpectKnownValue(story.Address, tfjsonpath.New("fields_to_remove"), knownvalue.Null()))
			s.Run(
				resource.TestStep{Config: block + config(s), ConfigStateChecks: none},
				s.Noop(block+config(s)),
			)
		})
	}
}

// A namespaced object of a kind that the same apply defines gets what the rules of its namespace add.
func TestRulesOfNamespacesCoverAKindThatTheApplyDefines(t *testing.T) {
	t.Parallel()
	for name, widget := range map[string]string{
		"with a namespace":    story.WidgetHere,
		"without a namespace": strings.Replace(story.WidgetHere, ", namespace: NS", "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			block := fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { config_path = %q, namespace = %q }\n  rules = [\n"+
				"{ namespaces = [%[2]q], kinds = [\"Widget\"], on_conflict = \"fail\", remove_fields = [\"spec.shape\"] }]\n}\n",
				story.ControlPlane().KubeconfigPath(), s.Namespace)
			config := block + s.Manifest("definition", story.WidgetDefinition) + s.Manifest("test", widget)
			s.Run(
				resource.TestStep{
					Config:            config,
					ConfigStateChecks: story.StateChecks(story.ExpectState("rules_applied", "on_conflict: fail", "remove_fields: [spec.shape]")),
				},
				s.Noop(config),
			)
		})
	}
}

// The plan of an object of a kind that no API server defines warns, also if the scope of the kind decides which rules
// cover it.
func TestRulesOfNamespacesAndAMissingKind(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	rules := "rules = [" + s.Expand(`{ namespaces = ["NS"], on_conflict = "fail" }`) + "]"
	for _, widget := range []string{story.WidgetHere, strings.Replace(story.WidgetHere, ", namespace: NS", "", 1)} {
		w.ConfigureProvider("{ config_path = \"kubeconfig\" }\n  "+rules, s.Manifest("test", widget))
		if plan := w.Do("plan", "-no-color"); !strings.Contains(plan, "Warning: Kind Not Served Yet: "+s.Expand("NS.example.com/v1 Widget")) {
			t.Error(plan)
		}
	}
}
