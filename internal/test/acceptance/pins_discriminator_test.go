package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	affinePorts = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80}, {name: https, port: 443}]
`
	timeout         = "spec.sessionAffinityConfig.clientIP.timeoutSeconds"
	affinityIgnored = `ignore_fields = ["spec.sessionAffinity"]`
	pinnedTimeout   = `pin_fields = ["spec.sessionAffinityConfig"]`
)

// withTimeout returns a Service with a timeout, which the API server drops unless sessionAffinity is ClientIP.
func withTimeout(service string) string {
	return strings.Replace(service, "spec:\n", "spec:\n  sessionAffinityConfig: {clientIP: {timeoutSeconds: 60}}\n", 1)
}

// affinity has a controller set the sessionAffinity of the Service.
func affinity(s *story.Story, value string) func() {
	return func() { s.As("operator").Patch(serviceTarget, `{"spec": {"sessionAffinity": "`+value+`"}}`) }
}

// A value that is there only beside what other managers have set stays in the plan of an apply that removes an
// obstacle: a new object of the manifest alone would lack it.
func TestValueBesideOthersAndObstacle(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		next      string
		arguments []string
		want      string
	}{
		"pinned, beside an ignored field":      {affinePorts, []string{pinnedTimeout, affinityIgnored}, "10800"},
		"pinned, beside an undeclared field":   {affinePorts, []string{pinnedTimeout}, "10800"},
		"declared, beside an ignored field":    {withTimeout(affinePorts), []string{affinityIgnored}, "60"},
		"declared, beside an undeclared field": {withTimeout(affinePorts), nil, "60"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			next := s.Config(test.next, test.arguments...)
			rekeyed := func(object map[string]any) {
				spec, _ := object["spec"].(map[string]any)
				ports, _ := spec["ports"].([]any)
				port, _ := ports[0].(map[string]any)
				port["port"] = int64(8081)
			}
			s.Run(
				resource.TestStep{Config: s.Config(affinePorts, test.arguments...)},
				resource.TestStep{PreConfig: affinity(s, "ClientIP"), Config: s.Config(affinePorts, test.arguments...)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("kubectl-edit").Put(serviceTarget, rekeyed) }), Config: next,
					ConfigPlanChecks:  story.PlanChecks(s.ExpectWarning(`removed with the list item spec.ports[port=8081,protocol="TCP"]`)),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, timeout+": "+test.want)),
					Check:             s.ExpectLiveJSON(serviceTarget, `{"clientIP":{"timeoutSeconds":`+test.want+`}}`, "spec", "sessionAffinityConfig"),
				},
				s.Noop(next),
			)
		})
	}
}

// A declared value that the server drops, or keeps, because of what other managers wrote between Terraform's two plans
// fails no apply.
func TestDeclaredValueChangesMeanwhile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ before, after string }{
		"it goes":  {"ClientIP", "None"},
		"it comes": {"None", "ClientIP"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			body := withTimeout(affinePorts)
			another := s.Config(strings.Replace(body, "selector: {app: web}", "selector: {app: other}", 1), affinityIgnored)
			live := map[string]string{"ClientIP": `{"clientIP":{"timeoutSeconds":60}}`, "None": "null"}[test.after]
			s.Run(
				resource.TestStep{Config: s.Config(affinePorts, affinityIgnored)},
				resource.TestStep{PreConfig: affinity(s, test.before), Config: s.Config(body, affinityIgnored)},
				resource.TestStep{
					Config:           another,
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.Meanwhile(affinity(s, test.after))}},
					Check:            s.ExpectLiveJSON(serviceTarget, live, "spec", "sessionAffinityConfig"),
				},
				s.Noop(another),
			)
		})
	}
}

// A value that the server has dropped with a change of other managers comes back with the apply that takes that change
// back, whatever other managers write between Terraform's two plans.
func TestValueThatComesBackWithAnother(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ field, path, becomes, want string }{
		"node ports": {"allocateLoadBalancerNodePorts: false", "allocateLoadBalancerNodePorts", "NodePort", "false"},
		"local only": {"externalTrafficPolicy: Local", "externalTrafficPolicy", "ClusterIP", `"Local"`},
		"class":      {"loadBalancerClass: example.com/x", "loadBalancerClass", "ClusterIP", `"example.com/x"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			body := strings.Replace(serviceOfTwo, "  type: NodePort\n", "  type: LoadBalancer\n  "+test.field+"\n", 1)
			next := s.Config(body + "  sessionAffinity: ClientIP\n")
			s.Run(
				resource.TestStep{Config: s.Config(body)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("kubectl-edit").Put(serviceTarget, func(object map[string]any) {
							spec, _ := object["spec"].(map[string]any)
							spec["type"] = test.becomes // The server drops the other field itself.
						})
					}),
					Config: next,
					ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
						s.As("bob").Patch(serviceTarget, `{"metadata": {"annotations": {"note": "x"}}}`)
					})),
					Check: s.ExpectLiveJSON(serviceTarget, test.want, "spec", test.path),
				},
				s.Noop(next),
			)
		})
	}
}

// An apply that removes an obstacle shows all that we own after it, also if managedFields does not list our manager any more.
func TestObstacleAfterOurEntry(t *testing.T) {
	s := story.New(t)
	local := strings.Replace(serviceOfTwo, "  type: NodePort\n", "  type: NodePort\n  externalTrafficPolicy: Local\n", 1)
	rekeyed := func(object map[string]any) {
		spec, _ := object["spec"].(map[string]any)
		port, _ := spec["ports"].([]any)[0].(map[string]any)
		port["port"] = int64(8081)
	}
	forgotten := func(object map[string]any) {
		metadata, _ := object["metadata"].(map[string]any)
		entries, _ := metadata["managedFields"].([]any)
		metadata["managedFields"] = slices.DeleteFunc(entries, func(entry any) bool {
			fields, _ := entry.(map[string]any)
			return fields["manager"] == "k8sconnect"
		})
	}
	others := func() {
		s.As("kubectl-edit").Put(serviceTarget, rekeyed)
		s.As("restore").Put(serviceTarget, forgotten)
	}
	s.Run(
		resource.TestStep{Config: s.Config(local, ports)},
		resource.TestStep{
			PreConfig: s.NextStep(others), Config: s.Config(local, ports),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState,
				"spec.externalTrafficPolicy: Local", `spec.ports[port=443,protocol="TCP"].name: https`)),
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckResourceAttr(story.Address, "pinned.%", "3"), s.ExpectOwners(serviceTarget, secondPort, "k8sconnect")),
		},
		s.Noop(s.Config(local, ports)),
	)
}

// A value that the server refuses beside a field that is left to other managers: the error names that field, its value
// and its owner.
func TestValueRefusedBesideOthers(t *testing.T) {
	t.Parallel()
	rolling := strings.Replace(story.Deployment, "  replicas: 3", "  replicas: 0\n  strategy: {rollingUpdate: {maxSurge: 2}}", 1)
	typed := strings.Replace(rolling, "{rolling", "{type: RollingUpdate, rolling", 1)
	const pin, ignored = `pin_fields = ["spec.strategy.rollingUpdate"]`, `ignore_fields = ["spec.strategy.type"]`
	const inTheWay = `spec.strategy.type: "Recreate", owned by "operator"`
	for name, test := range map[string]struct {
		body      string
		arguments []string
		says      string
		// next are the arguments that the error advises.
		next []string
	}{
		"pinned":              {story.WithReplicas(0), []string{pin, ignored}, "Remove the paths that no longer fit from pin_fields", []string{ignored}},
		"declared":            {rolling, []string{ignored}, `Remove "spec.strategy.type" from ignore_fields, and the apply removes it`, nil},
		"both are declared":   {typed, []string{ignored}, `Remove "spec.strategy.type" from ignore_fields`, nil},
		"of ignored managers": {typed, []string{`ignore_managers = ["operator"]`}, "Change it on the object", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config, next := s.Config(test.body, test.arguments...), s.Config(test.body, test.next...)
			recreate := func() {
				s.As("operator").StrategicPatch(story.Web, `{"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}`)
			}
			s.Run(
				resource.TestStep{Config: config},
				resource.TestStep{PreConfig: s.NextStep(recreate), Config: config, ExpectError: story.Saying(inTheWay, test.says)},
				resource.TestStep{PreConfig: s.NextStep(), Config: next},
				s.Noop(next),
			)
		})
	}
}
