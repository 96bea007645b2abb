package acceptance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A mistake is an error of validation, before any request.
func TestBadInput(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	const web = `target = { api_version = "apps/v1", kind = "Deployment", name = "web" }`
	for _, test := range []struct {
		name, kind string
		config     []string
	}{
		{"restart-kind", "restart", []string{`target = { api_version = "batch/v1", kind = "Job", name = "web" }`}},
		{"restart-version", "restart", []string{`target = { api_version = "extensions/v1beta1", kind = "Deployment", name = "web" }`}},
		{"restart-timeout", "restart", []string{web, "timeouts {\n invoke = \"soon\"\n}"}},
		{"wait-condition", "wait", []string{web, `conditions = { Available = "yes" }`}},
		{"wait-until", "wait", []string{web, `until = "exists"`, `fields = { "spec.replicas" = "1" }`}},
		{"run-job-nothing", "run_job", nil},
		{"run-job-both", "run_job", []string{`cron_job = { name = "nightly" }`, `yaml_body = "x"`}},
		{"run-job-kind", "run_job", []string{"yaml_body = <<-YAML\n" + story.Deployment + "\nYAML"}},
		{"run-job-no-name", "run_job", []string{"yaml_body = <<-YAML\n{apiVersion: batch/v1, kind: Job, metadata: {namespace: shop}}\nYAML"}},
		{"run-job-ttl", "run_job", []string{`cron_job = { name = "nightly" }`, "ttl_seconds_after_finished = -1"}},
		{"disown-nothing", "disown", []string{`managers = ["kubectl"]`}},
		{"disown-both", "disown", []string{`managers = ["kubectl"]`, web, `kinds = ["Deployment"]`}},
		{"disown-selector", "disown", []string{`managers = ["kubectl"]`, web, `namespace = "default"`}},
		{"disown-everybody", "disown", []string{`managers = ["*"]`, web}},
		{"disown-nobody", "disown", []string{`managers = []`, web}},
		{"disown-kind", "disown", []string{`managers = ["kubectl"]`, `kinds = ["apps/v1"]`}},
		{"connection", "wait", []string{web, `cluster = { host = "https://localhost:6443" }`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func(outer *testing.T) { i.T = outer }(i.T)
			i.T = t
			i.Configure(i.action(test.kind, "test", test.config...))
			var out string
			objects, _ := i.CostOf(func() { out = i.Exits(story.Refused, "validate") })
			if len(objects) > 0 {
				t.Errorf("the validation sent %q", objects)
			}
			golden.Compare(t, "operations/errors/"+test.name+".txt", i.errorIn(out))
		})
	}
}

// Terraform validates an action when no variable has a value yet. What the variables say is refused by the plan, before any write.
func TestBadInputOfVariables(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.As("kubectl-create").Create(story.ConfigMapIn("web", `data: {a: "b"}`))
	before := i.Live("v1 ConfigMap web")
	target := i.target("v1 ConfigMap web")
	for _, test := range []struct {
		name, kind string
		config     []string
		// variable is the type and the value of the variable "given".
		variable string
		says     []string
	}{
		{"disown-everybody", "disown", []string{"managers = var.given", target}, `set(string), ["*"]`, []string{"Invalid Attribute Value", "every manager"}},
		{"disown-nobody", "disown", []string{"managers = var.given", target}, `set(string), []`, []string{"managers is empty", "Write at least one value"}},
		{"disown-all-kinds", "disown", []string{`managers = ["kubectl-create"]`, "kinds = var.given"}, "list(string), null", []string{"Neither target nor kinds is set"}},
		{"disown-no-kinds", "disown", []string{`managers = ["kubectl-create"]`, "kinds = var.given"}, "list(string), []", []string{"kinds is empty", "Write at least one value"}},
		{"wait-condition", "wait", []string{target, "conditions = { Available = var.given }"}, `string, "yes"`, []string{"Available", "yes"}},
		{"wait-timeout", "wait", []string{target, "timeouts {\n invoke = var.given\n}"}, `string, "soon"`, []string{"soon", "not a duration"}},
		{"restart-timeout", "restart", []string{i.target("apps/v1 Deployment web"), "timeouts {\n invoke = var.given\n}"}, `string, "0s"`, []string{"not more than zero"}},
		{"restart-kind", "restart", []string{`target = { api_version = "apps/v1", kind = var.given, name = "web" }`}, `string, "ReplicaSet"`, []string{"ReplicaSet"}},
		{"run-job-both", "run_job", []string{`cron_job = { name = "nightly" }`, "yaml_body = var.given"}, `string, "x"`, []string{"Set exactly one of them"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func(outer *testing.T) { i.T = outer }(i.T)
			i.T = t
			typ, value, _ := strings.Cut(test.variable, ", ")
			i.Configure("variable \"given\" {\n  type = " + typ + "\n  default = " + value + "\n}\n" + i.action(test.kind, "test", test.config...))
			i.Do("validate")
			var refused string
			objects, _ := i.CostOf(func() { refused = i.refuses(test.kind + ".test") })
			i.says(refused, test.says...)
			if len(objects) > 0 {
				t.Errorf("the plan sent %q", objects)
			}
		})
	}
	if diff := cmp.Diff(before, i.Live("v1 ConfigMap web")); diff != "" {
		t.Errorf("the object has changed (-before +after):\n%s", diff)
	}
}
