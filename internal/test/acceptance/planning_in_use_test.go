package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// serviceNamed returns a Service with lines of its spec.
func serviceNamed(name, spec string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + ", namespace: NS}\nspec: {selector: {app: web}, " + spec + "}\n"
}

// never asserts that nothing that was said has one of texts.
func never(s *story.Story, texts ...string) {
	s.T.Helper()
	for _, said := range s.Provider.Everything() {
		for _, text := range texts {
			if strings.Contains(said, text) {
				s.T.Errorf("said %q:\n%s", text, said)
			}
		}
	}
}

// A port or an address that another Service has is an error that names the field and its value, and lists who has it. It
// is not a failure of the server, which would be repeated, and a free value works.
func TestValueThatAnotherServiceHas(t *testing.T) {
	t.Parallel()
	const local = "type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}], healthCheckNodePort: "
	for name, test := range map[string]struct {
		theirs, ours, free string
		says               []string
	}{
		"a node port": {
			"type: NodePort, ports: [{port: 80, nodePort: 30041}]", "type: NodePort, ports: [{port: 80, nodePort: 30041}]",
			"type: NodePort, ports: [{port: 80, nodePort: 30042}]",
			[]string{"spec.ports[0].nodePort: Invalid value: 30041", "kubectl get services --all-namespaces", "VALUE:.spec.ports[*].nodePort'"},
		},
		"a node port twice in one Service": {
			"ports: [{port: 80}]", "type: NodePort, ports: [{name: a, port: 80, nodePort: 30043}, {name: b, port: 81, nodePort: 30043}]",
			"type: NodePort, ports: [{name: a, port: 80, nodePort: 30043}, {name: b, port: 81}]",
			[]string{"spec.ports[", "].nodePort: ", "30043"},
		},
		"a port of health checks": {
			local + "30044", local + "30044", local + "30045",
			[]string{"spec.healthCheckNodePort: Invalid value: 30044", "kubectl get services --all-namespaces", "VALUE:.spec.healthCheckNodePort'"},
		},
		"an address": {
			"ports: [{port: 80}]", "ports: [{port: 80}], clusterIP: ADDRESS", "ports: [{port: 80}]",
			[]string{"spec.clusterIPs: Invalid value: [\"ADDRESS\"]", "kubectl get services --all-namespaces", "VALUE:.spec.clusterIPs'"},
		},
	} {
		for how, before := range map[string]string{"created": "", "changed": "ports: [{port: 80}]"} {
			if name == "an address" && before != "" {
				continue // It cannot be changed.
			}
			t.Run(name+", "+how, func(t *testing.T) {
				s := story.New(t)
				own := func(text string) string { return text } // Each test has ports of its own.
				if before != "" {
					own = func(text string) string { return strings.ReplaceAll(text, "3004", "3006") }
				}
				theirs := s.As("kubectl-create").Create(serviceNamed("theirs", own(test.theirs)))
				address, _, _ := unstructured.NestedString(theirs.Object, "spec", "clusterIP")
				with := func(text string) string { return strings.ReplaceAll(own(text), "ADDRESS", address) }
				says := []string{"Invalid Object"}
				for _, text := range test.says {
					says = append(says, with(text))
				}
				steps := []resource.TestStep{
					{Config: s.Config(serviceNamed("web", with(test.ours))), ExpectError: story.Saying(says...)},
					{Config: s.Config(serviceNamed("web", own(test.free)))},
					s.Noop(s.Config(serviceNamed("web", own(test.free)))),
				}
				if before != "" {
					steps = append([]resource.TestStep{{Config: s.Config(serviceNamed("web", before))}}, steps...)
				}
				s.Run(steps...)
				never(s, "API Server Error", "try again")
			})
		}
	}
}

// Two Services of one set that ask for one port or address are refused before anything is applied, both by their names. What is no
// port of two Services passes.
func TestSetOfServicesWithOneValue(t *testing.T) {
	s := newSet(t)
	const port = "type: NodePort, ports: [{port: 80, nodePort: 30081}]"
	// The API server gives a port to one Service, whatever the protocols.
	s.As("kubectl").Create(serviceNamed("tcp", port))
	s.has(map[string]string{"udp": serviceNamed("udp", "type: NodePort, ports: [{port: 80, protocol: UDP, nodePort: 30081}]")})
	s.expect(s.Exits(story.Refused, "plan"), "already allocated")
	s.As("kubectl").Remove("v1 Service tcp")
	for asked, specs := range map[string][2]string{
		"nodePort 30081":     {port, "type: NodePort, ports: [{port: 81, protocol: UDP, nodePort: 30081}]"},
		"nodePort 30082":     {strings.ReplaceAll(port, "30081", "30082"), "type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30082, ports: [{port: 80}]"},
		"clusterIP 10.9.9.9": {"clusterIP: 10.9.9.9, ports: [{port: 80}]", "clusterIP: 10.9.9.9, ports: [{port: 81}]"},
	} {
		s.has(map[string]string{"north": serviceNamed("north", specs[0]), "south": serviceNamed("south", specs[1])})
		s.expect(s.Exits(story.Refused, "plan"), "Error: Two Services With One Value",
			"Service NS/north (v1) and Service NS/south (v1) of this set both have "+asked)
	}
	both := "type: NodePort, ports: [{name: a, port: 80, nodePort: 30081}, {name: b, port: 80, protocol: UDP, nodePort: 30081}]"
	s.has(map[string]string{"dns": serviceNamed("dns", both), "one": serviceNamed("one", "clusterIP: None, ports: [{port: 80, nodePort: 0}]"),
		"two": serviceNamed("two", "clusterIP: None, ports: [{port: 80, nodePort: 0}]")})
	s.Do("apply", "-auto-approve")
	s.Do("destroy", "-auto-approve")
}

// Other managers change the key of a port that has a node port. The port that ignore_fields leaves to them is named
// with its value.
func TestNodePortOfAnItemOfOthers(t *testing.T) {
	s := story.New(t)
	body := serviceNamed("web", "type: NodePort, ports: [{port: 80, nodePort: 30051}]")
	s.Run(
		resource.TestStep{Config: s.Config(body)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("editor").Put("v1 Service web", func(object map[string]any) {
					object["spec"].(map[string]any)["ports"].([]any)[0].(map[string]any)["port"] = int64(8081)
				})
			}),
			Config: s.Config(body, `ignore_fields = ["spec.ports[port=8081]"]`),
			ExpectError: story.Saying("Duplicate List Item", "duplicate nodePort: {TCP 30051}", `spec.ports[port=8081,protocol="TCP"]`,
				`owned by "editor"`, "kubectl edit service/web"),
		},
		resource.TestStep{Config: s.Config(strings.Replace(body, "port: 80", "port: 8081", 1))},
	)
	never(s, "API Server Error", "try again", "Correct the fields named above")
}

// A version of a definition in which objects were stored cannot leave it as long as the status has it. The error names the
// field, and the command with which it can be changed.
func TestVersionOfStoredObjects(t *testing.T) {
	s := story.New(t)
	definition := func(versions ...string) string {
		text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: dials.NS.example.com}\n" +
			"spec:\n  group: NS.example.com\n  scope: Namespaced\n  names: {plural: dials, singular: dial, kind: Dial}\n  versions:\n"
		for _, version := range versions {
			text += "  - " + version + ", served: true, schema: {openAPIV3Schema: {type: object}}}\n"
		}
		return s.Config(text)
	}
	const alpha = "{name: v1alpha1, storage: "
	s.Run(
		resource.TestStep{Config: definition(alpha + "true")},
		resource.TestStep{Config: definition(alpha+"false", "{name: v1, storage: true")},
		resource.TestStep{
			Config: definition("{name: v1, storage: true"),
			ExpectError: story.Saying("Invalid Object", "status.storedVersions[0]", "kubectl edit customresourcedefinition.v1.apiextensions.k8s.io/dials.",
				"--subresource=status"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch("apiextensions.k8s.io/v1 CustomResourceDefinition dials.NS.example.com",
					`{"status": {"storedVersions": ["v1"]}}`, "status")
			}),
			Config: definition("{name: v1, storage: true"),
		},
	)
	never(s, "Correct the fields named above in yaml_body")
}
