package acceptance_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	jobSecret = "hunter2-of-a-job-4721"
	// tellingPolicy refuses Jobs with the label refused, and quotes an environment variable of theirs.
	tellingPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: telling.NS}
spec:
  failurePolicy: Fail
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs]}
  validations:
  - expression: "!('refused' in object.metadata.?labels.orValue({}))"
    messageExpression: "'the password is ' + object.spec.template.spec.containers[0].env[0].value + ', which is too short'"
`
	tellingBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: telling.NS}
spec: {policyName: telling.NS, validationActions: [Deny]}
`
)

// installTelling installs the policy and waits until it refuses.
func (i invoker) installTelling() {
	i.T.Helper()
	for _, body := range []string{tellingPolicy, tellingBinding} {
		object := i.As("kubectl-create").Create(body)
		i.T.Cleanup(func() {
			_ = i.ResourceOf(object).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		})
	}
	probe := i.Parse(refusedJob)
	err := wait.PollUntilContextTimeout(i.T.Context(), 100*time.Millisecond, 90*time.Second, true, func(ctx context.Context) (bool, error) {
		_, err := i.ResourceOf(probe).Apply(ctx, probe.GetName(), probe, metav1.ApplyOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err != nil && strings.Contains(err.Error(), "too short"), nil
	})
	story.Must(i.T, err)
}

const refusedJob = `
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: NS, labels: {refused: "true"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: "busybox:1.36", env: [{name: PASSWORD, value: probe}]}]}}}
`

// hclJob is a Job as an HCL object, whose only environment variable has the value of the variable secret.
func hclJob(name, labels, container string) string {
	return `manifest = { apiVersion = "batch/v1", kind = "Job", metadata = { name = "` + name + `", namespace = "NS", labels = {` + labels + `} }, spec = { template = { spec = { restartPolicy = "Never", ` +
		`containers = [{ name = "app", image = "busybox:1.36", env = [{ name = "PASSWORD", value = var.secret }]` + container + ` }] } } } }`
}

// A message about a Job has no value of sensitive_fields, whoever quotes it, and names the argument that the user wrote.
func TestRunJobHidesSensitiveFields(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.installTelling()
	cron := strings.Replace(cronJob, "labels: {team: shop}", `labels: {refused: "true"}`, 1)
	i.As("alice").Apply(strings.Replace(cron, `image: "busybox:1.36"}`, `image: "busybox:1.36", env: [{name: PASSWORD, value: `+jobSecret+`}]}`, 1))
	const sensitive = `sensitive_fields = ["spec.template.spec.containers[*].env[*].value"]`
	body := strings.Replace(refusedJob, "value: probe", "value: ${var.secret}", 1)
	i.Configure("variable \"secret\" {\n  type = string\n  sensitive = true\n  default = \""+jobSecret+"\"\n}\n",
		i.action("run_job", "object", hclJob("object", `refused = "true"`, ""), sensitive),
		i.action("run_job", "text", i.text(body), sensitive),
		i.action("run_job", "cron", `cron_job = { namespace = "NS", name = "nightly" }`, sensitive),
		i.action("run_job", "wrong", hclJob("wrong", "", `, ports = [{ name = var.secret, containerPort = 1 }]`), `sensitive_fields = ["spec"]`),
		i.action("run_job", "undeclared", hclJob("undeclared", `refused = "true"`, "")),
	)
	for name, argument := range map[string]string{"object": "In manifest, change", "text": "In yaml_body, change", "cron": "Correct what the message names", "wrong": "Correct the fields named above in manifest"} {
		refused := i.refuses("run_job." + name)
		says := "the ValidatingAdmissionPolicy telling.NS refuses it. Its message is not shown"
		if name == "wrong" {
			says = "field spec.template.spec.containers[0].ports[0].name (Invalid value). Its message is not shown"
		}
		i.says(refused, says, argument)
		if strings.Contains(refused, "hunter2") {
			t.Errorf("%s tells the value:\n%s", name, refused)
		}
	}
	// Without the argument, the provider cannot know which values are secret.
	i.says(i.refuses("run_job.undeclared"), "the password is "+jobSecret, "In manifest, change")
	if jobs := i.jobs(); len(jobs) != 0 {
		t.Errorf("there are %d Jobs", len(jobs))
	}
}

// A message names manifest where the user wrote manifest, and quotes nothing of a Job that cannot be read.
func TestRunJobNamesWhatTheUserWrote(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	for name, test := range map[string]struct {
		config string
		says   []string
	}{
		"an alias":          {"yaml_body = <<-YAML\napiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  password: *" + jobSecret + "\nYAML", []string{"yaml_body: line 5, column 13 is not valid YAML", "need quotes"}},
		"a tag":             {"yaml_body = <<-YAML\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a}\nspec:\n  password: !!int " + jobSecret + "\nYAML", []string{"yaml_body: line 5, column 13 is not valid YAML", "need quotes"}},
		"metadata":          {`manifest = { apiVersion = "batch/v1", kind = "Job", metadata = "` + jobSecret + `" }`, []string{"manifest: metadata is a string, not an object"}},
		"another kind":      {`manifest = { apiVersion = "v1", kind = "Pod", metadata = { name = "a" } }`, []string{"manifest has a Pod of v1"}},
		"a field of no Job": {hclJob("a", "", `, colour = "red"`), []string{"could not be created", "colour", "Correct it in manifest"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func(outer *testing.T) { i.T = outer }(i.T)
			i.T = t
			i.Configure("variable \"secret\" {\n  type = string\n  default = \"\"\n}\n", i.action("run_job", "test", test.config))
			refused := i.refuses("run_job.test")
			i.says(refused, test.says...)
			if strings.Contains(refused, "hunter2") || strings.Contains(refused, "yaml_body") == strings.Contains(test.config, "manifest =") {
				t.Errorf("the error is:\n%s", refused)
			}
		})
	}
}
