package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const serviceTarget = "v1 Service web"

// patchWithLater returns a configuration with a patch of target, whose manifest may refer to later.
func patchWithLater(s *story.Story, target, value, metadata, spec string, arguments ...string) string {
	manifest := "manifest = { metadata = " + metadata + ", spec = " + spec + " }"
	block := s.PatchConfig(target, "", append(arguments, manifest)...)
	return strings.Replace(block, "  yaml_body = <<-YAML\n\nYAML\n", "", 1) + story.Later("later", value)
}

func servicePort(s *story.Story) {
	s.As("bob").Apply("{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS, annotations: {note: precious}}, spec: {ports: [{name: web, port: 80}]}}")
}

// A value that is not known yet is the key of a list item of ours: the plan shows what the apply does to the others.
func TestUndecidedKeyOfAListItem(t *testing.T) {
	s := story.New(t)
	servicePort(s)
	s.Run(
		resource.TestStep{Config: patchWithLater(s, serviceTarget, "TCP", `{}`, `{ ports = [{ name = "https", port = 443, protocol = "TCP" }] }`)},
		resource.TestStep{
			Config: patchWithLater(s, serviceTarget, "TCP ", `{}`,
				`{ ports = [{ name = "https", port = 443, protocol = trimspace(terraform_data.later.output) }, { port = 80, protocol = "TCP", targetPort = 9999 }] }`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`spec.ports[port=80,protocol="TCP"].targetPort: "80" -> "9999"`)),
		},
	)
}

// The server refuses every stand-in for a value that is not known yet: the plan shows what the apply does to other
// fields, and on_conflict = "fail" refuses it.
func TestUndecidedValueThatHasNoStandIn(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(strings.Replace(story.Deployment, "metadata: {", "metadata: {annotations: {note: precious}, ", 1))
	const note = `{ annotations = { note = "ours" } }`
	const spec = `{ template = { spec = { containers = [{ name = "app", securityContext = { procMount = tostring(terraform_data.later.output) } }] } } }`
	config := func(arguments ...string) string {
		return patchWithLater(s, story.Web, "Default", note, spec, arguments...)
	}
	s.Run(
		resource.TestStep{
			Config:      config(`on_conflict = "fail"`),
			ExpectError: story.Saying("Field Ownership Conflict", `metadata.annotations.note: "precious" -> "ours"`),
		},
		resource.TestStep{
			Config:           config(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`metadata.annotations.note: "precious" -> "ours"`)),
			Check:            s.ExpectContainer(story.Web, "app", "securityContext", "map[procMount:Default]"),
		},
		s.Noop(config()),
	)
}
