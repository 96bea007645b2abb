package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// withoutWatch returns the path of a kubeconfig whose user may do everything with ConfigMaps but watch them.
func withoutWatch(s *story.Story) string {
	s.As("admin").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: no-watch, namespace: NS}\n" +
		"rules: [{apiGroups: [''], resources: [configmaps], verbs: [get, list, create, patch, delete]}]\n")
	s.As("admin").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: no-watch, namespace: NS}\n" +
		"subjects: [{kind: User, name: NS-reader}]\nroleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: no-watch}\n")
	return s.File("kubeconfig", s.Kubeconfig(s.AddUser(s.Namespace+"-reader", "readers")), 0o600)
}

// A user who may not watch waits by reading the object from time to time, and is told so once.
func TestWaitWithoutTheVerbWatch(t *testing.T) {
	s := story.New(t)
	path := withoutWatch(s)
	config := s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`), `wait = { fields = { "data.done" = "yes" } }`,
		`cluster = { config_path = "`+path+`" }`)
	s.Run(
		resource.TestStep{
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(s.OnceWatched("configmaps", 0, func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"done": "yes"}}`) })),
			ConfigStateChecks: story.StateChecks(expectReady(true)),
			Check:             func(*terraform.State) error { return s.Warned("Watch Not Allowed", "Allow the verb watch") },
		},
		s.Noop(config),
	)
}

// An object that another client deletes while an apply waits ends the wait with an error that says so.
func TestObjectIsDeletedDuringAWait(t *testing.T) {
	s := story.New(t)
	config := s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`), `wait = { fields = { "data.done" = "yes" } }`)
	s.Run(
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.OnceWatched("configmaps", 0, func() { s.As("eve").Remove(story.SettingsTarget) })),
			ExpectError:      story.Saying("settings", "not found"),
		},
		resource.TestStep{ // The next plan creates it again.
			Config: strings.Replace(config, "yes", "*", 1),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate),
				s.OnceWatched("configmaps", 0, func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"done": "yes"}}`) }),
			),
			ConfigStateChecks: story.StateChecks(expectReady(true)),
		},
	)
}

// A rollout that stands still says why: the pods of the new template, and the newest warnings. Three lists, and only then.
func TestWaitSaysWhatThePodsSay(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	nowhere := strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {example.com/pool: none}\n      containers:", 1)
	const limit = "timeouts {\n create = \"20s\"\n update = \"20s\"\n}"
	var lists []string
	s.Run(
		resource.TestStep{
			PreConfig:   m.Start,
			Config:      s.Config(nowhere, "wait = {}", limit),
			ExpectError: story.Saying("Object Not Ready", "was not ready after", "Its new pods say", "pod web-", "Unschedulable", "nodes are available"),
		},
	)
	for _, line := range m.Lines() {
		if strings.HasPrefix(line, "list ") {
			lists = append(lists, line)
		}
	}
	if len(lists) != 3 {
		t.Errorf("lists: %q", lists)
	}
}

// The cause is found in a namespace with more warnings than one list has.
func TestWaitThatFailsBesideManyWarnings(t *testing.T) {
	s := story.New(t)
	s.ForbidPods()
	for i := range 501 {
		s.As("kubelet").Create(fmt.Sprintf("apiVersion: v1\nkind: Event\nmetadata: {name: a.%d, namespace: NS}\ntype: Warning\nreason: BackOff\n"+
			"involvedObject: {kind: Pod, name: a, namespace: NS}\nlastTimestamp: \"2100-01-01T00:00:00Z\"", i))
	}
	s.Run(resource.TestStep{
		Config: s.Config("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: NS}\nspec: {serviceName: db, selector: {matchLabels: {app: db}}, "+
			"template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: \"db:1\"}]}}}", "wait = {}", "timeouts {\n create = \"20s\"\n}"),
		ExpectError: story.Saying("Object Not Ready", "FailedCreate", "exceeded quota"),
	})
}

// Only an event reports that the API server refuses the pods of these workloads. The wait ends early, as for a Deployment.
func TestWaitForPodsThatAreRefused(t *testing.T) {
	for kind, spec := range map[string]string{
		"batch/v1\nkind: Job":        "template: {",
		"apps/v1\nkind: StatefulSet": "serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, ",
	} {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.ForbidPods()
			s.Run(resource.TestStep{
				Config: s.Config("apiVersion: "+kind+"\nmetadata: {name: db, namespace: NS}\nspec: {"+spec+
					"spec: {restartPolicy: "+map[bool]string{true: "Never", false: "Always"}[strings.Contains(kind, "Job")]+", containers: [{name: app, image: \"db:1\"}]}}}",
					"wait = {}", "timeouts {\n create = \"5m\"\n}"),
				ExpectError: story.Saying("Object Not Ready", "cannot become ready (FailedCreate)", "exceeded quota"),
			})
		})
	}
}
