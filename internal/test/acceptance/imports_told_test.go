package acceptance_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What the configuration of an import does not declare stays on the object, and the first plan says so: with the owner,
// and with the line that removes it. That line works in the same apply, and in a later one.
func TestImportLeavesFields(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		live, body string
		target     string
		stays      string
		removed    map[string]string
	}{
		"a container with another name": {
			live:   deploymentWithContainer(`{name: nginx, image: "nginx:1.20"}`),
			body:   deploymentWithContainer(`{name: app, image: "nginx:1.29"}`),
			stays:  `spec.template.spec.containers[name="nginx"]`,
			target: story.Web, removed: map[string]string{"{.spec.template.spec.containers[*].name}": "app"},
		},
		"an environment variable": {
			live:   deploymentWithContainer(`{name: app, image: "nginx:1.29", env: [{name: DEBUG, value: "1"}, {name: KEPT, value: "1"}]}`),
			body:   deploymentWithContainer(`{name: app, image: "nginx:1.29", env: [{name: KEPT, value: "1"}]}`),
			stays:  `spec.template.spec.containers[name="app"].env[name="DEBUG"]`,
			target: story.Web, removed: map[string]string{"{.spec.template.spec.containers[*].env[*].name}": "KEPT"},
		},
		"an entry of a map": {
			live:   story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`),
			body:   story.ConfigMapIn("settings", `data: {a: "1"}`),
			stays:  "data.b",
			target: story.SettingsTarget, removed: map[string]string{"{.data}": `{"a":"1"}`},
		},
		"a label": {
			live:   story.ConfigMapIn("settings", `data: {a: "1"}`, `labels: {team: red}`),
			body:   story.ConfigMapIn("settings", `data: {a: "1"}`),
			stays:  "metadata.labels.team",
			target: story.SettingsTarget, removed: map[string]string{"{.metadata.labels}": ""},
		},
		"a label in a map that is declared empty": {
			live:   story.ConfigMapIn("settings", `data: {a: "1"}`, `labels: {team: red}`),
			body:   story.ConfigMapIn("settings", `data: {a: "1"}`, `labels: {}`),
			stays:  "metadata.labels.team",
			target: story.SettingsTarget, removed: map[string]string{"{.metadata.labels}": ""},
		},
		"an environment variable in an empty list": {
			live:   deploymentWithContainer(`{name: app, image: nginx, env: [{name: DEBUG, value: "1"}]}`),
			body:   deploymentWithContainer(`{name: app, image: nginx, env: []}`),
			stays:  `spec.template.spec.containers[name="app"].env[name="DEBUG"]`,
			target: story.Web, removed: map[string]string{"{.spec.template.spec.containers[*].env[*].name}": ""},
		},
	}
	for name, c := range cases {
		for _, how := range []string{"import", "adoption"} {
			t.Run(name+" at an "+how, func(t *testing.T) {
				s := story.New(t)
				s.As("kubectl-create").Create(c.live)
				begin, arguments := "", []string{story.Adopting}
				if how == "import" {
					object := s.Parse(c.live)
					begin, arguments = s.ImportBlock("apiVersion="+object.GetAPIVersion()+",kind="+object.GetKind()+
						",namespace=NS,name="+object.GetName()), nil
				}
				line := removeLine(c.stays)
				removing := s.Config(c.body, append([]string{line}, arguments...)...)
				s.Run(
					resource.TestStep{
						Config: begin + s.Config(c.body, arguments...),
						ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
							"yaml_body does not declare a field of the object, which stays with its owner:",
							c.stays, `owned by "kubectl-create"`, "To remove it from the object:", line,
						)),
					},
					s.Noop(s.Config(c.body, arguments...)),
					resource.TestStep{
						Config:           removing,
						ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(c.stays, `removed`, `owned by "kubectl-create"`)),
						Check:            s.ExpectJSONPath(c.target, c.removed),
					},
					s.Noop(removing),
				)
			})
		}
	}
}

// The line that the plan of an import prints works in the apply of the import, too.
func TestImportRemovesFields(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-create").Create(deploymentWithContainer(`{name: nginx, image: "nginx:1.20"}`))
	config := s.Config(deploymentWithContainer(`{name: app, image: "nginx:1.29"}`),
		removeLine(`spec.template.spec.containers[name="nginx"]`))
	s.Run(
		resource.TestStep{
			Config: s.ImportBlock(story.WebID) + config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
				`spec.template.spec.containers[name="nginx"]`, "removed", `owned by "kubectl-create"`,
			), s.ExpectPlanSays(
				"List Item Added", `The list has spec.template.spec.containers[name="nginx"]`,
			)),
			Check: s.ExpectJSONPath(story.Web, map[string]string{"{.spec.template.spec.containers[*].name}": "app"}),
		},
		s.Noop(config),
	)
}

// An object with list items of the same key loses the second one by the first apply. The plan of the import shows that,
// the generated manifest says what it lacks, and the apply does not blame another client.
func TestImportOfDuplicates(t *testing.T) {
	t.Parallel()
	for _, manager := range []string{"kubectl-create", "deployer"} {
		t.Run(manager, func(t *testing.T) {
			s := story.New(t)
			s.As(manager).Create(deploymentWithContainer(`{name: app, image: nginx, ` +
				`env: [{name: FOO, value: a}, {name: FOO, value: b}, {name: BAR, value: x}]}`))
			body := deploymentWithContainer(`{name: app, image: nginx, env: [{name: FOO, value: a}, {name: BAR, value: x}]}`)
			s.Run(
				resource.TestStep{
					Config: s.ImportBlock(story.WebID) + s.Config(body),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
						`spec.template.spec.containers[name="app"].env`, `{\"name\":\"FOO\",\"value\":\"b\"}`, `owned by "`+manager+`"`,
					)),
					Check: story.LiveChecks(s.ExpectNotOverwritten(),
						s.ExpectJSONPath(story.Web, map[string]string{"{.spec.template.spec.containers[*].env[*].value}": "a x"})),
				},
				s.Noop(s.Config(body)),
			)
		})
	}
}

// Any list with keys may have such items.
func TestImportOfDuplicatesInLists(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ object, body, field, lost, path, left string }{
		"hostAliases": {
			object: deploymentIn(`hostAliases: [{ip: 10.0.0.1, hostnames: [a]}, {ip: 10.0.0.1, hostnames: [b]}]`),
			body:   deploymentIn(`hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]`),
			field:  "spec.template.spec.hostAliases", lost: `{\"hostnames\":[\"b\"],\"ip\":\"10.0.0.1\"}`,
			path: "{.spec.template.spec.hostAliases[*].hostnames[*]}", left: "a",
		},
		"imagePullSecrets": {
			object: deploymentIn(`imagePullSecrets: [{name: a}, {name: a}, {name: b}]`),
			body:   deploymentIn(`imagePullSecrets: [{name: a}, {name: b}]`),
			field:  "spec.template.spec.imagePullSecrets", lost: `{\"name\":\"a\"}`,
			path: "{.spec.template.spec.imagePullSecrets[*].name}", left: "a b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("kubectl-create").Create(c.object)
			s.Run(
				resource.TestStep{
					Config:           s.ImportBlock(story.WebID) + s.Config(c.body),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(c.field, c.lost, `owned by "kubectl-create"`)),
					Check: story.LiveChecks(s.ExpectNotOverwritten(),
						s.ExpectJSONPath(story.Web, map[string]string{c.path: c.left})),
				},
				s.Noop(s.Config(c.body)),
			)
		})
	}
}

// deploymentIn returns the Deployment with another line in its pod template.
func deploymentIn(line string) string {
	return strings.Replace(story.Deployment, "      containers", "      "+line+"\n      containers", 1)
}

func deploymentWithContainer(container string) string {
	return strings.Replace(story.Deployment, `{name: app, image: "nginx:1.25"}`, container, 1)
}

func removeLine(field string) string {
	return "remove_fields = [" + strconv.Quote(field) + "]"
}
