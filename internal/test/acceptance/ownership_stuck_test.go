package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A field that leaves the manifest keeps its value if the server keeps it or sets it again. The plan says so.
func TestLeavingFieldsKeepTheirValues(t *testing.T) {
	t.Parallel()
	const service = "v1 Service web"
	headless := "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec:\n  ports: [{port: 80}]\n"
	cases := map[string]struct{ before, after, target, field, value, path string }{
		"a value that cannot be changed": {
			headless + "  clusterIP: None\n", headless, service, "spec.clusterIP", "None", "{.spec.clusterIP}",
		},
		"a default of the object": {
			headless + "  sessionAffinity: None\n", headless, service, "spec.sessionAffinity", "None",
			"{.spec.sessionAffinity}",
		},
		"a default in a list item": {
			story.Probed("imagePullPolicy: IfNotPresent"), story.Deployment, story.Web,
			`spec.template.spec.containers[name="app"].imagePullPolicy`, "IfNotPresent",
			"{.spec.template.spec.containers[0].imagePullPolicy}",
		},
		"a default of a pod": {
			strings.Replace(story.Deployment, "      containers", "      dnsPolicy: ClusterFirst\n      containers", 1),
			story.Deployment, story.Web,
			"spec.template.spec.dnsPolicy", "ClusterFirst", "{.spec.template.spec.dnsPolicy}",
		},
		"beside another port": {
			headless + "  clusterIP: None\n", strings.Replace(headless, "port: 80", "port: 8080", 1), service,
			"spec.clusterIP", "None", "{.spec.clusterIP}",
		},
		"beside another port of the same name": {
			strings.Replace(headless, "port: 80", "name: web, port: 80", 1) + "  clusterIP: None\n",
			strings.Replace(headless, "port: 80", "name: web, port: 8080", 1), service,
			"spec.clusterIP", "None", "{.spec.clusterIP}",
		},
		"beside another member of a union": {
			strings.Replace(story.Deployment, "      containers", "      dnsPolicy: ClusterFirst\n      containers", 1),
			strings.Replace(story.Deployment, "spec:\n", "spec:\n  strategy: {type: Recreate}\n", 1), story.Web,
			"spec.template.spec.dnsPolicy", "ClusterFirst", "{.spec.template.spec.dnsPolicy}",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			s.Run(
				resource.TestStep{Config: s.Config(c.before)},
				resource.TestStep{
					Config: s.Config(c.after),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
						" field leaves yaml_body and keeps its value, because the API server keeps it or sets it again:",
						c.field+`: "`+c.value+`"`,
					)),
					Check: s.ExpectJSONPath(c.target, map[string]string{c.path: c.value}),
				},
				s.Noop(s.Config(c.after)),
			)
		})
	}
}
