package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The server drops fields of its own with a value that a destroy restores. The plan of the destroy lists them, whoever owns
// them, and asks the server once. Nothing is dropped with labels or the data of a ConfigMap, so that asks nothing.
func TestPlanTellsWhatTheServerDropsWithARestoredValue(t *testing.T) {
	t.Parallel()
	const service, clusterIP = "v1 Service web", "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\n" +
		"spec: {selector: {app: web}, ports: [{name: http, port: 80}]}\n"
	const nodePort = `spec.ports[port=80,protocol="TCP"].nodePort: "3`
	for name, test := range map[string]struct {
		spec  string
		drops []string
		eve   string
	}{
		"a node port":           {spec: `{"type": "NodePort"}`, drops: []string{nodePort, `spec.externalTrafficPolicy: "Cluster"`}},
		"those of a balancer":   {spec: `{"type": "LoadBalancer"}`, drops: []string{nodePort, `spec.allocateLoadBalancerNodePorts: "true"`}},
		"the affinity's values": {spec: `{"sessionAffinity": "ClientIP"}`, drops: []string{`spec.sessionAffinityConfig.clientIP.timeoutSeconds: "10800"`}},
		"a value of others": {
			spec: `{"type": "NodePort"}`, eve: `{"spec": {"externalTrafficPolicy": "Local"}}`,
			drops: []string{`spec.externalTrafficPolicy: "Local", owned by "eve"`},
		},
	} {
		for kind, block := range map[string]func(s *story.Story) string{
			"apply": func(s *story.Story) string {
				return s.PatchBlock("test", service, "spec: "+test.spec, ours, `on_destroy = "restore"`)
			},
			"merge": func(s *story.Story) string {
				return s.TypedPatchBlock("test", service, "merge", `{"spec": `+test.spec+`}`, ours, `on_destroy = "restore"`)
			},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				s := story.New(t)
				s.As("bob").Create(clusterIP)
				before := story.AsJSON(s.Live(service).Object["spec"])
				w := s.HostedWorkspace()
				w.Configure(block(s))
				w.Do("apply", "-auto-approve")
				if test.eve != "" {
					s.As("eve").Patch(service, test.eve)
				}
				w.Configure()
				var out string
				w.ExpectCostOf("the plan of a destroy", []string{"get services NS/web 200", "patch services NS/web dry-run 200"}, func() { out = w.Do("plan") })
				says(t, out, append(test.drops, "The API server removes these values with that:")...)
				w.Do("apply", "-auto-approve")
				if after := story.AsJSON(s.Live(service).Object["spec"]); after != before {
					t.Errorf("the spec was %s, and is %s", before, after)
				}
			})
		}
	}
}

// The API server refuses an earlier value beside what it has filled in since. The plan of the destroy says that already.
func TestPlanTellsThatTheServerRefusesARestoredValue(t *testing.T) {
	t.Parallel()
	for kind, block := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchBlock("test", story.Web, "spec: {strategy: {type: RollingUpdate}}", ours, `on_destroy = "restore"`)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchBlock("test", story.Web, "merge", `{"spec": {"strategy": {"type": "RollingUpdate"}}}`, ours, `on_destroy = "restore"`)
		},
	} {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Create(story.Deployment)
			s.As("bob").Patch(story.Web, `{"spec": {"strategy": {"type": "Recreate", "rollingUpdate": null}}}`)
			w := s.HostedWorkspace()
			w.Configure(block(s))
			w.Do("apply", "-auto-approve")
			w.Configure()
			says(t, w.Do("plan"), "The API server refuses the earlier values now:", "spec.strategy.rollingUpdate: Forbidden",
				"If it still does when this is applied, all fields keep")
			says(t, w.Do("apply", "-auto-approve"), "Fields Not Removed", "spec.strategy.type")
		})
	}
}

// The API server copies the deprecated serviceAccount of a pod to serviceAccountName as soon as that is gone. The plan of a
// destroy or a replacement says that the value stays.
func TestPlanTellsWhatTheServerSetsAgain(t *testing.T) {
	t.Parallel()
	const job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: web, namespace: NS}\nspec: {schedule: '0 0 1 1 *', jobTemplate: " +
		"{spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: nginx}]}}}}}"
	for name, test := range map[string]struct{ target, object, around, path string }{
		"Deployment": {story.Web, story.Deployment, `{"template": {"spec": %s}}`, "spec.template.spec"},
		"CronJob":    {"batch/v1 CronJob web", job, `{"jobTemplate": {"spec": {"template": {"spec": %s}}}}`, "spec.jobTemplate.spec.template.spec"},
	} {
		body := `{"spec": ` + fmt.Sprintf(test.around, `{"serviceAccountName": "other", "priority": 7}`) + `}`
		for kind, block := range map[string]func(s *story.Story) string{
			"apply": func(s *story.Story) string { return s.PatchBlock("test", test.target, body, ours) },
			"merge": func(s *story.Story) string { return s.TypedPatchBlock("test", test.target, "merge", body, ours) },
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				s := story.New(t)
				s.As("bob").Create(test.object)
				w := s.HostedWorkspace()
				w.Configure(block(s))
				w.Do("apply", "-auto-approve")
				w.Configure()
				w.AwaitRollouts()
				says(t, w.Do("plan"), "It removes what this resource added:\n\n  "+test.path+".priority\n",
					"The API server keeps these values, or sets them again:\n\n  "+test.path+`.serviceAccountName: "other"`)
				w.Do("apply", "-auto-approve")
				if pod := story.AsJSON(s.Live(test.target).Object["spec"]); !strings.Contains(pod, `"serviceAccountName":"other"`) ||
					strings.Contains(pod, "priority") {
					t.Errorf("the spec is %s", pod)
				}
			})
		}
	}
}
