package acceptance_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// limitedInvoker invokes actions as a ServiceAccount.
type limitedInvoker struct {
	invoker
	// limited is the attribute cluster of the ServiceAccount.
	limited string
}

func (i limitedInvoker) configure(blocks ...string) { i.ConfigureProvider(i.limited, blocks...) }

// query writes a query for ConfigMaps.
func (i limitedInvoker) query() {
	i.configure()
	story.Must(i.T, os.WriteFile(filepath.Join(i.Dir, "found.tfquery.hcl"), []byte(i.Expand(
		"list \"k8sconnect_manifest\" \"found\" {\n  provider = k8sconnect\n  config {\n    kinds = [\"ConfigMap\"]\n    namespace = \"NS\"\n    label_selector = \"tidy=yes\"\n  }\n}\n")), 0o600))
	i.As("helm").Create(story.ConfigMapIn("found", `data: {a: "1"}`, "labels: {tidy: \"yes\"}"))
}

// explained fails unless a failed wait says what its pods say, and could list its events.
func (i limitedInvoker) explained(out string) {
	i.T.Helper()
	i.says(out, "Not ", "Unschedulable")
	if strings.Contains(out, "could not be listed") {
		i.T.Errorf("the wait is not explained:\n%s", out)
	}
}

// invokeTimeout is long enough for the scheduler to reject a pod.
const invokeTimeout = "timeouts {\n invoke = \"20s\"\n}"

// limitedOperations are the lines of the table that need a newer CLI, each with the resource of its object and what to run.
var limitedOperations = map[string]struct {
	resource string
	run      func(i limitedInvoker)
}{
	"the data source `k8sconnect_objects`, `terraform query`": {"configmaps", func(i limitedInvoker) {
		i.query()
		i.says(i.Do("query"), "found")
		i.configure(i.Expand("data \"k8sconnect_objects\" \"found\" {\n  api_version = \"v1\"\n  kind = \"ConfigMap\"\n  namespace = \"NS\"\n}\n"))
		i.Do("apply", "-auto-approve")
	}},
	"`terraform query -generate-config-out`": {"configmaps", func(i limitedInvoker) {
		i.query()
		i.Do("query", "-generate-config-out=generated.tf")
		generated, err := os.ReadFile(filepath.Join(i.Dir, "generated.tf"))
		story.Must(i.T, err)
		i.says(string(generated), "yaml_body")
	}},
	"the action `k8sconnect_restart`": {"deployments", func(i limitedInvoker) {
		i.As("eve").Create(strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {example.com/pool: none}\n      containers:", 1))
		i.configure(i.action("restart", "web", i.target(story.Web), invokeTimeout))
		i.explained(i.refuses("restart.web"))
	}},
	"the action `k8sconnect_run_job`": {"jobs", func(i limitedInvoker) {
		i.As("eve").Create(cronJob)
		i.configure(i.action("run_job", "cron", `cron_job = { namespace = "NS", name = "nightly" }`), i.action("run_job", "stuck", i.text(stuck), invokeTimeout))
		i.invoke("run_job.cron")
		i.explained(i.refuses("run_job.stuck"))
	}},
	"the action `k8sconnect_wait`": {"deployments", func(i limitedInvoker) {
		i.As("eve").Create(strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {example.com/pool: none}\n      containers:", 1))
		i.configure(i.action("wait", "web", i.target(story.Web), invokeTimeout))
		i.explained(i.refuses("wait.web"))
	}},
	"the action `k8sconnect_disown`": {"configmaps", func(i limitedInvoker) {
		i.As("helm").Create(story.ConfigMapIn("one", `data: {a: "1"}`))
		i.As("helm").Create(story.ConfigMapIn("two", `data: {a: "1"}`))
		i.configure(i.action("disown", "one", `managers = ["helm"]`, i.target("v1 ConfigMap one")), i.action("disown", "all", `managers = ["helm"]`, `kinds = ["ConfigMap"]`, `namespace = "NS"`))
		i.invoke("disown.one")
		i.invoke("disown.all")
	}},
}

// Each line of the page's table is enough for its operation, and TestPermissionsOfThePage runs the other lines.
func TestPermissionsOfThePageForActions(t *testing.T) {
	t.Parallel()
	for _, row := range pages.Permissions(t, pages.Root) {
		operation, is := limitedOperations[row.Operation]
		if !is {
			if _, is := operations[row.Operation]; !is {
				t.Errorf("no test runs %q", row.Operation)
			}
			continue
		}
		t.Run(row.Operation, func(t *testing.T) {
			i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
			verbs := maps.Clone(row.Others)
			verbs[operation.resource] = row.Verbs
			operation.run(limitedInvoker{i, i.Limited("limited", verbs)})
		})
	}
}
