package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Every failure names the object, or the attribute, and a next step. Failures that need no cluster send no
// request.
func TestErrorsOfFieldOwnership(t *testing.T) {
	t.Parallel()
	configMap := objectArguments("v1", "ConfigMap", "web")
	const missing = " could not be read: it does not exist. Correct its name and namespace, or name the resource that creates it in " +
		"depends_on of this data source."
	for name, test := range map[string]struct {
		config func(s *countingReader) string
		want   string
		gets   int
	}{
		"an object that does not exist": {
			config: func(*countingReader) string { return ownershipBlock("web", configMap) },
			want:   "ConfigMap NS/web (v1)" + missing, gets: 1,
		},
		"a namespace that does not exist": {
			config: func(*countingReader) string { return ownershipBlock("web", configMap, `namespace = "nowhere"`) },
			want:   "ConfigMap nowhere/web (v1)" + missing, gets: 1,
		},
		"a namespace of a cluster-scoped kind": {
			config: func(*countingReader) string {
				return ownershipBlock("web", objectArguments("v1", "Namespace", "web"), `namespace = "shop"`)
			},
			want: "Namespace shop/web (v1) could not be read: Namespace is cluster-scoped. Remove namespace.",
		},
		"a kind that the cluster does not serve": {
			config: func(*countingReader) string {
				return ownershipBlock("web", objectArguments("apps/v1", "Deploiment", "web"), `namespace = "shop"`)
			},
			want: "The nearest kind that the cluster serves is apps/v1 Deployment.",
		},
		"an API version of three parts": {
			config: func(*countingReader) string {
				return ownershipBlock("web", objectArguments("a/b/c", "ConfigMap", "web"))
			},
			want: `api_version: "a/b/c" is not an API version.`,
		},
		"a kind with a slash": {
			config: func(*countingReader) string { return ownershipBlock("web", objectArguments("v1", "a/b", "web")) },
			want:   `kind: "a/b" is not a kind.`,
		},
		"a name with a slash": {
			config: func(*countingReader) string { return ownershipBlock("web", objectArguments("v1", "ConfigMap", "a/b")) },
			want:   `name is not the name of an object: may not contain '/'.`,
		},
		"no name": {
			config: func(*countingReader) string { return ownershipBlock("web", objectArguments("v1", "ConfigMap", "")) },
			want:   `name is not the name of an object: must not be empty.`,
		},
		"a namespace in capitals": {
			config: func(*countingReader) string { return ownershipBlock("web", configMap, `namespace = "Shop"`) },
			want:   `namespace is not the name of a namespace: a lowercase RFC 1123 label must consist of`,
		},
		"a path that does not parse": {
			config: func(*countingReader) string { return ownershipBlock("web", configMap, `path = "spec.[0]"`) },
			want:   `path is not a field path: field path "spec.[0]", character 6: a bracket follows a dot; remove the dot before the bracket.`,
		},
		"a manager with a star in the middle": {
			config: func(*countingReader) string { return ownershipBlock("web", configMap, `manager = "a*b"`) },
			want:   `manager: "a*b" has a * that is not at its end.`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newCountingReader(t)
			s.play(resource.TestStep{
				Config:      s.providerBlock() + test.config(s),
				ExpectError: story.Saying(strings.ReplaceAll(test.want, "NS", s.Namespace)),
			})
			s.expectGets(test.gets)
		})
	}
}

// A connection that is known only after the apply ends the plan in an error, and what the error says to
// do works.
func TestUnknownConnectionOfFieldOwnership(t *testing.T) {
	s := newCountingReader(t)
	s.As("flux").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {a: x}\n")
	kubeconfig := fmt.Sprintf("resource \"terraform_data\" \"cluster\" {\n  input = %q\n}\n", story.ControlPlane().Kubeconfig()) +
		"provider \"k8sconnect\" {\n  cluster = { kubeconfig = terraform_data.cluster.output }\n}\n"
	web := objectArguments("v1", "ConfigMap", "web") + "\n  namespace = \"" + s.Namespace + "\""
	s.play(
		resource.TestStep{
			Config: kubeconfig + ownershipBlock("web", web),
			ExpectError: story.Saying("ConfigMap " + s.Namespace + "/web (v1) could not be read: the cluster connection is only known after the apply. " +
				"Name the resource that creates the cluster in depends_on of this data source, so that it is read after that, or create the cluster first."),
		},
		resource.TestStep{
			Config: kubeconfig + ownershipBlock("web", web, "depends_on = [terraform_data.cluster]"),
			ConfigStateChecks: expect(func(seen map[string]seen, _ map[string]*tfjson.StateOutput) error {
				if got := seen["web"].field("data.a"); got != "x: flux Apply" {
					return fmt.Errorf("data.a is %q", got)
				}
				return nil
			}),
		},
		// A data source's own connection is waited for by Terraform itself.
		resource.TestStep{
			Config: fmt.Sprintf("resource \"terraform_data\" \"other\" {\n  input = %q\n}\n", story.ControlPlane().Kubeconfig()) +
				ownershipBlock("web", web, "cluster = { kubeconfig = terraform_data.other.output }"),
			ConfigStateChecks: expect(func(seen map[string]seen, _ map[string]*tfjson.StateOutput) error {
				if got := seen["web"].managers(); len(got) != 1 {
					return fmt.Errorf("managers: %v", got)
				}
				return nil
			}),
		},
	)
}
