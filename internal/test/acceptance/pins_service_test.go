package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	service = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec:
  type: NodePort
  selector: {app: web}
  ports:
    - {name: http, port: 80}
`
	serviceOfTwo = service + "    - {name: https, port: 443}\n"
	ports        = `pin_fields = ["spec.clusterIP", "spec.ports[*].nodePort"]`
	nodePort     = `spec.ports[port=80,protocol="TCP"].nodePort`
	secondPort   = `spec.ports[port=443,protocol="TCP"].nodePort`
)

// The API server chooses a Service's address and ports. The apply that creates it claims them: one PATCH more. From then on
// they are held: a change of them is drift, and a path that leaves is released with its value.
func TestPinServersChoice(t *testing.T) {
	s := story.New(t)
	var first string
	s.Run(
		resource.TestStep{
			Config:           s.Config(service, ports),
			ConfigPlanChecks: story.PlanChecks(story.ExpectUnknown("k8sconnect_manifest.test", "field_ownership", "co_owners", "managed_state", "pinned")),
			Check: resource.ComposeTestCheckFunc(
				s.ExpectOwners(serviceTarget, "spec.clusterIP", "k8sconnect"),
				s.ExpectOwners(serviceTarget, nodePort, "k8sconnect"),
			),
		},
		resource.TestStep{
			Config: s.Config(service, ports),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectEmptyPlan(),
			}},
		},
		resource.TestStep{
			PreConfig: func() {
				first = liveNodePort(s)
				s.As("kubectl").JSONPatch(serviceTarget, `[{"op": "replace", "path": "/spec/ports/0/nodePort", "value": 31999}]`)
			},
			Config:           s.Config(service, ports),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOwner(nodePort, "kubectl", "k8sconnect"), s.ExpectWarning(nodePort, "31999", "To pin the value that a field of pin_fields has now, change repin.")),
			Check:            expectNodePort(s, &first),
		},
		resource.TestStep{
			Config: s.Config(serviceOfTwo, ports),
			Check:  s.ExpectOwners(serviceTarget, secondPort, "k8sconnect"),
		},
		resource.TestStep{
			Config: s.Config(serviceOfTwo, `pin_fields = ["spec.clusterIP"]`),
			Check: resource.ComposeTestCheckFunc(
				s.ExpectNoOwner(serviceTarget, nodePort),
				s.ExpectNoOwner(serviceTarget, secondPort),
				s.ExpectOwners(serviceTarget, "spec.clusterIP", "k8sconnect"),
				expectNodePort(s, &first),
			),
		},
	)
}

// A pinned value that goes between Terraform's two plans, because another client changes what it depends on, fails no
// apply.
func TestPinnedValueGoesMeanwhile(t *testing.T) {
	s := story.New(t)
	const pins = pinnedTimeout
	become := func(affinity string) func() {
		return func() { s.As("operator").Patch(serviceTarget, `{"spec": {"sessionAffinity": "`+affinity+`"}}`) }
	}
	another := strings.Replace(service, "selector: {app: web}", "selector: {app: other}", 1)
	s.Run(
		resource.TestStep{Config: s.Config(service)},
		resource.TestStep{PreConfig: become("ClientIP"), Config: s.Config(service, pins), Check: s.ExpectOwners(serviceTarget, timeout, "k8sconnect", "operator")},
		resource.TestStep{
			Config:           s.Config(another, pins),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.ExpectValue(timeout, "10800", "10800"), story.Meanwhile(become("None"))}},
			Check:            s.ExpectLiveJSON(serviceTarget, "null", "spec", "sessionAffinityConfig"),
		},
		s.Noop(s.Config(another, pins)),
	)
}

// The server drops pinned node ports with the type of a Service. What is pinned for the first time by the same apply is
// claimed nevertheless.
func TestPinnedValuesThatTheServerDrops(t *testing.T) {
	s := story.New(t)
	alias := strings.Replace(service, "type: NodePort", "type: ClusterIP", 1)
	const pins = `pin_fields = ["spec.ports[*].nodePort", "spec.sessionAffinity"]`
	s.Run(
		resource.TestStep{Config: s.Config(service, ports)},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(alias, pins),
			Check: resource.ComposeTestCheckFunc(
				s.ExpectOwners(serviceTarget, "spec.sessionAffinity", "k8sconnect"), s.ExpectNoOwner(serviceTarget, nodePort)),
		},
		s.Noop(s.Config(alias, pins)),
	)
}

// What is left to other managers is not pinned: one port of all, or what an ignored manager owns.
func TestPinAllButWhatIsIgnored(t *testing.T) {
	s := story.New(t)
	butOne := ports + "\n  ignore_fields = [\"spec.ports[port=443].nodePort\"]"
	butTheirs := ports + "\n  ignore_managers = [\"kubectl\"]"
	edited := func(pointer, port string) func() {
		return func() {
			s.As("kubectl").JSONPatch(serviceTarget, `[{"op": "replace", "path": "`+pointer+`", "value": `+port+`}]`)
		}
	}
	s.Run(
		resource.TestStep{
			Config: s.Config(serviceOfTwo, butOne),
			Check:  resource.ComposeTestCheckFunc(s.ExpectOwners(serviceTarget, nodePort, "k8sconnect"), s.ExpectNoOwner(serviceTarget, secondPort)),
		},
		s.Noop(s.Config(serviceOfTwo, butOne)),
		resource.TestStep{
			PreConfig: edited("/spec/ports/1/nodePort", "31998"), Config: s.Config(serviceOfTwo, butOne),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		resource.TestStep{
			PreConfig: edited("/spec/ports/0/nodePort", "31997"), Config: s.Config(serviceOfTwo, butTheirs),
			Check: resource.ComposeTestCheckFunc(s.ExpectOwners(serviceTarget, nodePort, "kubectl"), s.ExpectOwners(serviceTarget, secondPort, "kubectl")),
		},
		s.Noop(s.Config(serviceOfTwo, butTheirs)),
	)
}

// liveNodePort returns the node port of the first port.
func liveNodePort(s *story.Story) string {
	ports, _, _ := unstructured.NestedSlice(s.Live(serviceTarget).Object, "spec", "ports")
	if len(ports) == 0 {
		return ""
	}
	first, _ := ports[0].(map[string]any)
	return story.AsJSON(first["nodePort"])
}

func expectNodePort(s *story.Story, want *string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if got := liveNodePort(s); got != *want {
			return fmt.Errorf("the node port is %s, want %s", got, *want)
		}
		return nil
	}
}
