package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A value that the server refuses beside a default is told with the default, for a new object and for a change.
func TestValueBesideADefault(t *testing.T) {
	t.Parallel()
	workload := func(kind, spec string) string {
		return "\napiVersion: apps/v1\nkind: " + kind + "\nmetadata: {name: web, namespace: NS}\nspec:\n  " + spec + "\n" +
			"  selector: {matchLabels: {app: web}}\n" +
			"  template: {metadata: {labels: {app: web}}, spec: {nodeSelector: {no: where}, containers: [{name: app, image: nginx}]}}\n"
	}
	service := func(spec string) string {
		return "\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {" + spec + "}\n"
	}
	for name, test := range map[string]struct{ before, after, says, set string }{
		"a surge beside the default of unavailable ones": {
			workload("DaemonSet", "minReadySeconds: 1"), workload("DaemonSet", "updateStrategy: {rollingUpdate: {maxSurge: 1}}"),
			`spec.updateStrategy.rollingUpdate.maxUnavailable: "1" (0 fits)`, "{maxSurge: 1, maxUnavailable: 0}",
		},
		"no unavailable ones beside the default of a surge": {
			workload("DaemonSet", "minReadySeconds: 1"), workload("DaemonSet", "updateStrategy: {rollingUpdate: {maxUnavailable: 0}}"),
			`spec.updateStrategy.rollingUpdate.maxSurge: "0"`, "{maxSurge: 1, maxUnavailable: 0}",
		},
		"a time beyond the default of a deadline": {
			workload("Deployment", "minReadySeconds: 1"), workload("Deployment", "minReadySeconds: 700"),
			`spec.progressDeadlineSeconds: "600"`, "",
		},
		"a port beside the default of a type": {
			service("ports: [{port: 80}]"), service("ports: [{port: 80, nodePort: 30999}]"), `spec.type: "ClusterIP"`, "",
		},
		"a class beside the default of a type": {
			service("ports: [{port: 80}]"), service("ports: [{port: 80}], loadBalancerClass: example.com/a"), `spec.type: "ClusterIP"`, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			refused := story.Saying("Invalid Object", "yaml_body does not fit a default that nobody has written:", test.says,
				"Set it in yaml_body, too, or correct the fields named above.")
			steps := []resource.TestStep{
				{Config: s.Config(test.after), ExpectError: refused},
				{Config: s.Config(test.before)},
				{PreConfig: s.NextStep(), Config: s.Config(test.after), ExpectError: refused},
			}
			if test.set != "" {
				at := strings.Index(test.after, "{max")
				end := at + strings.Index(test.after[at:], "}") + 1
				steps = append(steps, resource.TestStep{PreConfig: s.NextStep(), Config: s.Config(test.after[:at] + test.set + test.after[end:])})
			}
			s.Run(steps...)
		})
	}
}

// A value that the server keeps, and that fits no change of the object, is not to be edited. If the manifest fits no new
// object either, the error says why.
func TestKeptValueInTheWay(t *testing.T) {
	s := story.New(t)
	service := func(spec string) string {
		return "\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {" + spec + "ports: [{port: 80}]}\n"
	}
	s.Run(
		resource.TestStep{Config: s.Config(service(""))},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(service("ipFamilies: [IPv6], ")),
			ExpectError: story.Saying("Field in the Way", "spec.clusterIPs", "The API server keeps it as long as the object exists.",
				"It does not take yaml_body for a new object either:", "not configured on this cluster"),
		},
	)
}
