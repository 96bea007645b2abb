package acceptance_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// loadBalancer is a Service whose load balancer no client provides.
const loadBalancer = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec: {type: LoadBalancer, ports: [{port: 80}]}
`

const (
	condition = "lastTransitionTime: '2026-01-01T00:00:00Z', reason: Manual, message: by hand"
	ready     = `status.conditions[type="example.com/Ready"]`
)

// A patch of the status is sent to that subresource, and shows the owners of the status alone.
func TestPatchOfTheStatus(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get, try, patch = "get services NS/web 200", "patch services/status NS/web dry-run 200", "patch services/status NS/web 200"
	s.As("bob").Apply(loadBalancer)
	s.As("cloud").Patch(serviceTarget, `{"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}}`, "status")
	config := func(body string, arguments ...string) string {
		return s.PatchConfig(serviceTarget, body, append(arguments, ours, `subresource = "status"`)...)
	}
	both := "status: {loadBalancer: {ingress: [{ip: 10.0.0.2}]}, conditions: [{type: example.com/Ready, status: 'True', " + condition + "}]}"
	conditions := "status: {conditions: [{type: example.com/Ready, status: 'True', " + condition + "}]}"
	s.Run(
		resource.TestStep{
			PreConfig: m.Start,
			Config:    config(both),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays(`status.loadBalancer.ingress: `, `10.0.0.1`, `10.0.0.2`, `owned by "cloud"`),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "status.loadBalancer.ingress: patch", ready+".status: patch", "spec.type: (absent)"),
				expectAdded(ready),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(serviceTarget, `[{"ip":"10.0.0.2","ipMode":"VIP"}]`, "status", "loadBalancer", "ingress"),
				m.Applies(get, try, get, try, patch),
			),
		},
		s.Noop(config(both)),
		resource.TestStep{ // A controller writes the status back.
			PreConfig: s.NextStep(func() {
				s.As("cloud").Patch(serviceTarget, `{"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.3"}]}}}`, "status")
			}),
			Config:           config(both),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("takes back", "10.0.0.3", `owned by "cloud"`)),
			Check:            s.ExpectLiveJSON(serviceTarget, `[{"ip":"10.0.0.2","ipMode":"VIP"}]`, "status", "loadBalancer", "ingress"),
		},
		resource.TestStep{ // What was there before keeps its value.
			Config: config(conditions),
			Check:  s.ExpectLiveJSON(serviceTarget, `[{"ip":"10.0.0.2","ipMode":"VIP"}]`, "status", "loadBalancer", "ingress"),
		},
		s.Noop(config(conditions)),
		resource.TestStep{
			Config:           s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", ready)),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(serviceTarget, `null`, "status", "conditions"), expectNoEntry(s, serviceTarget, "patch"),
				s.ExpectLiveJSON(serviceTarget, `[{"ip":"10.0.0.2","ipMode":"VIP"}]`, "status", "loadBalancer", "ingress"),
			),
		},
	)
}

func TestTypedPatchOfTheStatus(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(loadBalancer)
	s.As("cloud").Patch(serviceTarget, `{"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}}`, "status")
	config := s.TypedPatchConfig(serviceTarget, "strategic", `{"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.2"}]}}}`,
		ours, `subresource = "status"`, `on_destroy = "restore"`)
	s.Run(
		resource.TestStep{
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(s.ExpectPlanSays(`status.loadBalancer.ingress`, `10.0.0.2`, `owned by "cloud"`)),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "status.loadBalancer.ingress: patch")),
		},
		s.Noop(config),
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(serviceTarget, `[{"ip":"10.0.0.1","ipMode":"VIP"}]`, "status", "loadBalancer", "ingress"), expectNoEntry(s, serviceTarget, "patch"),
			),
		},
	)
}

// A patch is about the status or about the rest of an object, and the kind has to have the subresource.
func TestBadSubresources(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(loadBalancer)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
	const status = `subresource = "status"`
	s.Run(
		resource.TestStep{
			Config:      s.PatchConfig(serviceTarget, "spec: {type: ClusterIP}", status),
			ExpectError: story.Saying("Invalid Manifest", "spec is not in the subresource status", "Write only status"),
		},
		resource.TestStep{
			Config:      s.TypedPatchConfig(serviceTarget, "merge", `{"spec": {"type": "ClusterIP"}}`, status),
			ExpectError: story.Saying("Invalid Patch", "the patch changes spec, which is not in the subresource status"),
		},
		resource.TestStep{
			Config:      s.PatchConfig(serviceTarget, "status: {}", `subresource = "scale"`),
			ExpectError: story.Saying("Invalid Attribute Value", "subresource"),
		},
		resource.TestStep{
			Config:      s.PatchConfig(story.SettingsTarget, "status: {a: b}", status),
			ExpectError: story.Saying("Invalid Object", "objects of the kind ConfigMap have no subresource status"),
		},
		resource.TestStep{Config: s.PatchConfig(serviceTarget, "metadata: {labels: {a: b}}", ours)},
		resource.TestStep{
			Config:           s.PatchConfig(serviceTarget, "status: {conditions: [{type: example.com/Ready, status: 'True', "+condition+"}]}", ours, status),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionDestroyBeforeCreate)),
			Check:            s.ExpectLiveJSON(serviceTarget, `null`, "metadata", "labels"),
		},
	)
}

// The server takes the values and the claims of a status in two requests. If another client writes between them, the
// destroy still takes back what is ours.
func TestDestroyOfTypedPatchOfTheStatusMeanwhile(t *testing.T) {
	t.Parallel()
	for kind, body := range map[string]string{
		"merge": `{"status": {"note": "ours"}}`,
		"json":  `[{"op": "add", "path": "/status/note", "value": "ours"}]`,
	} {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(engines)
			s.As("bob").Create(basicEngine)
			s.As("controller").Patch(engineTarget, `{"status": {"load": "1"}}`, "status")
			var destroys, wrote atomic.Bool
			provider := providerThrough(s, func(r *http.Request) {
				if destroys.Load() && r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/status") &&
					r.URL.Query().Get("dryRun") == "" && wrote.CompareAndSwap(false, true) {
					s.As("controller").Patch(engineTarget, `{"status": {"load": "2"}}`, "status")
				}
			})
			s.Run(
				resource.TestStep{Config: provider + s.TypedPatchBlock("test", engineTarget, kind, body, ours, `subresource = "status"`)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { destroys.Store(true) }),
					Config:    provider,
					Check: story.LiveChecks(
						s.ExpectLiveJSON(engineTarget, `{"load":"2"}`, "status"), expectNoEntry(s, engineTarget, "patch"),
					),
				},
			)
			if !wrote.Load() {
				t.Error("nobody wrote meanwhile")
			}
		})
	}
}
