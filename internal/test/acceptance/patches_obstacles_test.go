package acceptance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// switches are patches that switch a member of a union of the object.
var switches = map[string]struct {
	object, patch string
	says          []string
	want          map[string]any
}{
	"a strategy with defaults": {
		story.Deployment, "spec: {strategy: {type: Recreate}}", []string{"spec.strategy.rollingUpdate.maxSurge", `owned by "flux"`},
		map[string]any{"spec.strategy.type": "Recreate", "spec.strategy.rollingUpdate": story.Absent},
	},
	"another handler of a probe": {
		story.Probed(story.HTTPProbe), `spec: {template: {spec: {containers: [{name: app, livenessProbe: {tcpSocket: {port: 80}}}]}}}`,
		[]string{"livenessProbe.httpGet", `owned by "flux"`}, nil,
	},
	"another source of a volume": {
		strings.Replace(story.Deployment, "      containers", "      volumes: [{name: v, configMap: {name: c}}]\n      containers", 1),
		`spec: {template: {spec: {volumes: [{name: v, emptyDir: {}}]}}}`,
		[]string{`volumes[name="v"].configMap`, `owned by "flux"`}, nil,
	},
	"a variable of a field": {
		story.Probed(`env: [{name: E, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]`),
		`spec: {template: {spec: {containers: [{name: app, env: [{name: E, value: x}]}]}}}`,
		[]string{`env[name="E"].valueFrom`, `owned by "flux"`}, nil,
	},
}

// A patch with yaml_body that switches a member of a union removes the other one, whoever owns it. The first apply has
// no claim of ours to begin with.
func TestPatchOverObstacles(t *testing.T) {
	t.Parallel()
	for name, test := range switches {
		for creator, create := range map[string]func(story.Manager, string){
			"":          func(m story.Manager, body string) { m.Create(body) },
			", applied": func(m story.Manager, body string) { m.Apply(body) },
		} {
			if creator != "" && test.want != nil {
				continue // Nobody owns the defaults of an object that was applied.
			}
			t.Run(name+creator, func(t *testing.T) {
				s := story.New(t)
				checks := []resource.TestCheckFunc{s.ExpectNotOverwritten()}
				if test.want != nil {
					checks = append(checks, s.ExpectLive(story.Web, test.want))
				}
				s.Run(
					resource.TestStep{
						PreConfig:        func() { create(s.As("flux"), test.object) },
						Config:           s.PatchConfig(story.Web, test.patch),
						ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(test.says...)),
						Check:            story.LiveChecks(checks...),
					},
					s.Noop(s.PatchConfig(story.Web, test.patch)),
				)
			})
		}
	}
}

// on_destroy = "restore" puts back what the server refused beside the patch, with what the patch changed, and its plan says so.
func TestPatchRestoresObstacles(t *testing.T) {
	t.Parallel()
	for name, test := range switches {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			var before any
			config := s.PatchConfig(story.Web, test.patch, ours, `on_destroy = "restore"`)
			obstacle := strings.Trim(test.says[0][strings.LastIndex(test.says[0], ".")+1:], `"`)
			s.Run(
				resource.TestStep{
					PreConfig: func() {
						s.As("flux").Create(test.object)
						before = s.Live(story.Web).Object["spec"]
					},
					Config: config,
				},
				s.Noop(config),
				resource.TestStep{
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", "It restores the earlier values of these fields", obstacle)),
					Check: story.LiveChecks(func(*terraform.State) error {
						was, _ := json.Marshal(before)
						is, _ := json.Marshal(s.Live(story.Web).Object["spec"])
						if string(was) != string(is) {
							return fmt.Errorf("the spec was %s, and is %s", was, is)
						}
						return nil
					}, expectNoEntry(s, story.Web, "patch")),
				},
			)
		})
	}
}
