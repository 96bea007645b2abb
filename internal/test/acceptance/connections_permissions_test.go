package acceptance_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// permitted runs operations on ConfigMaps and Deployments, as an administrator and as a ServiceAccount.
type permitted struct {
	*story.Workspace
	// limited is the attribute cluster of the ServiceAccount.
	limited string
}

// asAdmin sets the configuration for the administrator, and asAccount for the ServiceAccount.
func (p permitted) asAdmin(blocks ...string)   { p.Configure(blocks...) }
func (p permitted) asAccount(blocks ...string) { p.ConfigureProvider(p.limited, blocks...) }

// shortTimeout is long enough for the scheduler to reject a pod.
const shortTimeout = "timeouts {\n    create = \"20s\"\n  }"

func stuckDeployment() string {
	return strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {example.com/pool: none}\n      containers:", 1)
}

func (p permitted) object(kind, target, more string) string {
	apiVersion, of, name := p.Split(target)
	return fmt.Sprintf("%s \"test\" {\n  api_version = %q\n  kind = %q\n  namespace = %q\n  name = %q\n%s\n}\n", kind, apiVersion, of, p.Namespace, name, more)
}

// explained fails unless a failed wait says what its pods say, and could list its events.
func (p permitted) explained(out string) {
	p.T.Helper()
	if !story.Saying("Object Not Ready", "Unschedulable").MatchString(out) || strings.Contains(out, "could not be listed") {
		p.T.Errorf("the wait is not explained:\n%s", out)
	}
}

// operations are the lines of the table that need no newer CLI, each with the resource of its object and what to run.
var operations = map[string]struct {
	resource string
	run      func(p permitted)
}{
	"refresh, import, a plan without changes": {"configmaps", func(p permitted) {
		block := p.Manifest("test", story.ConfigMap)
		p.asAdmin(block)
		p.Do("apply", "-auto-approve")
		p.asAccount(block)
		p.Exits(story.Nothing, "plan", "-detailed-exitcode")
		p.Do("apply", "-refresh-only", "-auto-approve")
		p.Do("state", "rm", "k8sconnect_manifest.test")
		p.Do("import", "k8sconnect_manifest.test", p.Expand("apiVersion=v1,kind=ConfigMap,namespace=NS,name=web"))
	}},
	"a plan with changes, apply": {"configmaps", func(p permitted) {
		p.asAccount(p.Manifest("test", story.ConfigMap))
		p.Do("apply", "-auto-approve")
		p.asAccount(p.Manifest("test", strings.Replace(story.ConfigMap, "red", "blue", 1)))
		p.Do("apply", "-auto-approve")
	}},
	"a plan with `plan_without_dry_run = \"if_forbidden\"`": {"configmaps", func(p permitted) {
		p.limited += "\n  plan_without_dry_run = \"if_forbidden\""
		p.asAccount(p.Manifest("test", story.ConfigMap))
		p.Exits(story.Changes, "plan", "-detailed-exitcode")
	}},
	"an apply that waits": {"deployments", func(p permitted) {
		p.asAccount(p.Manifest("test", stuckDeployment(), "wait = {}", shortTimeout))
		p.explained(p.Exits(story.Refused, "apply", "-auto-approve"))
	}},
	"destroy": {"configmaps", func(p permitted) {
		p.asAdmin(p.Manifest("test", story.ConfigMap))
		p.Do("apply", "-auto-approve")
		p.asAccount(p.Manifest("test", story.ConfigMap))
		p.Do("destroy", "-auto-approve")
	}},
	"destroy of a `k8sconnect_patch`, or with `on_destroy = \"release\"` or `\"hand_over\"`": {"configmaps", func(p permitted) {
		p.As("eve").Create(story.Settings)
		all := []string{p.Manifest("test", story.ConfigMap, `on_destroy = "release"`), p.PatchBlock("test", story.SettingsTarget, "data: {extra: a}")}
		p.asAdmin(all...)
		p.Do("apply", "-auto-approve")
		p.asAccount(all...)
		p.Do("destroy", "-auto-approve")
		p.Live("v1 ConfigMap web")
	}},
	"the resource `k8sconnect_wait`": {"deployments", func(p permitted) {
		p.As("eve").Create(stuckDeployment())
		p.asAccount(fmt.Sprintf("resource \"k8sconnect_wait\" \"test\" {\n  target = { api_version = \"apps/v1\", kind = \"Deployment\", namespace = %q, name = \"web\" }\n  %s\n}\n", p.Namespace, shortTimeout))
		p.explained(p.Exits(story.Refused, "apply", "-auto-approve"))
	}},
	"the data sources `k8sconnect_object` and `k8sconnect_field_ownership`": {"configmaps", func(p permitted) {
		p.As("eve").Create(story.Settings)
		p.asAccount(p.object(`data "k8sconnect_object"`, story.SettingsTarget, "wait = { fields = { \"data.mode\" = \"on\" } }"), p.object(`data "k8sconnect_field_ownership"`, story.SettingsTarget, ""))
		p.Do("apply", "-auto-approve")
	}},
}

// Each line of the page's table is enough for its operation: it is run as a ServiceAccount that has these permissions and no others.
func TestPermissionsOfThePage(t *testing.T) {
	t.Parallel()
	found := 0
	for _, row := range pages.Permissions(t, pages.Root) {
		operation, is := operations[row.Operation]
		if !is {
			continue // TestPermissionsOfThePageForActions runs it.
		}
		found++
		t.Run(row.Operation, func(t *testing.T) {
			s := story.New(t)
			verbs := maps.Clone(row.Others)
			verbs[operation.resource] = row.Verbs
			operation.run(permitted{s.HostedWorkspace(), s.Limited("limited", verbs)})
		})
	}
	if found != len(operations) {
		t.Errorf("the page has %d of %d operations", found, len(operations))
	}
}
