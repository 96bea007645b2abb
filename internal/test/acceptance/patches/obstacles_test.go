package patches

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A patch with yaml_body that switches a member of a union removes the other one, whoever owns it. The first apply has
// no claim of ours to begin with.
func TestPatchOverObstacles(t *testing.T) {
	t.Parallel()
	const recreate = "spec: {strategy: {type: Recreate}}"
	const literal = `spec: {template: {spec: {containers: [{name: app, env: [{name: E, value: x}]}]}}}`
	from := story.Probed(`env: [{name: E, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]`)
	for name, test := range map[string]struct {
		object, patch string
		says          []string
		want          map[string]any
	}{
		"a strategy with defaults": {
			story.Deployment, recreate, []string{"spec.strategy.rollingUpdate.maxSurge", `owned by "flux"`},
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
			from, literal, []string{`env[name="E"].valueFrom`, `owned by "flux"`}, nil,
		},
	} {
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
