package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const nodePorts = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\n" +
	"spec: {type: NodePort, selector: {app: web}, ports: [{name: http, port: 80}]}\n"

// A list item that a patch has added goes with all that the server has put into it, and its plan lists that. What other
// managers have put into it stays, and the item with it.
func TestTakenBackListItem(t *testing.T) {
	t.Parallel()
	const service, item = "v1 Service web", `spec.ports[port=81,protocol="TCP"]`
	for name, block := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchBlock("test", service, `spec: {ports: [{name: extra, port: 81, protocol: TCP}]}`, ours)
		},
		"strategic": func(s *story.Story) string {
			return s.TypedPatchBlock("test", service, "strategic", `{"spec": {"ports": [{"name": "extra", "port": 81}]}}`, ours)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, port := story.New(t), map[string]string{"apply": "32766", "strategic": "32767"}[name] // The cluster has each once.
			s.As("bob").Apply(nodePorts)
			w := s.HostedWorkspace()
			w.Configure(block(s))
			w.Do("apply", "-auto-approve")
			w.Configure()
			out := unwrapped(w.Do("plan"))
			removed, with, _ := strings.Cut(out, "It also removes these values, which nobody owns:")
			if !strings.Contains(removed, "It removes what this resource added: "+item+".name") || !strings.HasPrefix(with, " "+item) ||
				!strings.Contains(with, item+`.nodePort: "3`) || strings.Contains(with, "It keeps") {
				t.Error(out)
			}
			s.As("eve").StrategicPatch(service, `{"spec": {"ports": [{"port": 81, "nodePort": `+port+`}]}}`)
			if out = unwrapped(w.Do("plan")); strings.Contains(out, ".nodePort") || !strings.Contains(out, item+".name") {
				t.Error(out)
			}
			w.Do("apply", "-auto-approve")
			ports := s.Live(service).Object["spec"].(map[string]any)["ports"].([]any)
			if !strings.Contains(story.AsJSON(ports), `"nodePort":`+port) {
				t.Errorf("the node port of eve is gone: %v", ports)
			}
		})
	}
}

// The plan of a changed patch says of what leaves it that it goes, whose it was, and what goes with it, and says of no
// map around the fields of other managers that it stays.
func TestWordsOfLeavingAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(nodePorts)
	const before = `{"metadata": {"labels": {"team": "x"}}, "spec": {"ports": [{"name": "extra", "port": 81}]}}`
	s.Run(
		resource.TestStep{Config: s.TypedPatchConfig("v1 Service web", "strategic", before, ours)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("eve").Patch("v1 Service web", `{"metadata": {"labels": {"eve": "y"}}}`) }),
			Config:    s.TypedPatchConfig("v1 Service web", "strategic", `{"metadata": {"annotations": {"a": "b"}}}`, ours),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays("fields that only this resource owns:", `metadata.labels.team: "x"`, `spec.ports[port=81,protocol="TCP"].targetPort: "81"`,
					"a value that nobody owns, because what contains it leaves patch:", `spec.ports[port=81,protocol="TCP"].nodePort: "3`),
				lacks(s, "stays on the object"),
			),
			Check: s.ExpectLiveJSON("v1 Service web", `{"eve":"y"}`, "metadata", "labels"),
		},
	)
}

// Values of a patch that its last apply did not set are reported before they go, whoever owns the map around them.
func TestUnownedValuesInAMapOfAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`))
	const first = `{"metadata": {"annotations": {"a": "1"}}}`
	s.Run(
		resource.TestStep{Config: s.TypedPatchConfig(story.SettingsTarget, "merge", first, ours)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("eve").Apply(story.ConfigMapIn("settings", `data: {}`, `annotations: {note: precious}`))
				for i, entry := range s.Live(story.SettingsTarget).GetManagedFields() {
					if entry.Manager == "eve" {
						s.As("eve").JSONPatch(story.SettingsTarget, fmt.Sprintf(`[{"op": "remove", "path": "/metadata/managedFields/%d"}]`, i))
					}
				}
			}),
			Config:           s.TypedPatchConfig(story.SettingsTarget, "merge", `{"metadata": {"annotations": null}}`, ours),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`metadata.annotations.note: "precious"`)),
		},
	)
}

// Another client sets a field to 0 that the patch sets to 0, and that the server does not store: nothing is to be done,
// and nothing is sent. Another value is taken back, whatever other managers write between Terraform's two plans.
func TestZeroOfAPatchLostToAnotherZero(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchConfig(story.Web, "spec: {minReadySeconds: 0, paused: false}", ours)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchConfig(story.Web, "merge", `{"spec": {"minReadySeconds": 0, "paused": false}}`, ours)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("helm").Apply(story.Deployment)
			m := s.Meter()
			s.Run(
				resource.TestStep{Config: config(s)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("eve").Patch(story.Web, `{"spec": {"minReadySeconds": 5, "paused": true}}`)
						s.As("eve").Patch(story.Web, `{"spec": {"minReadySeconds": 0, "paused": false}}`)
						m.Start()
					}),
					Config: config(s), Check: m.Applies("get deployments NS/web 200"),
				},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("eve").Patch(story.Web, `{"spec": {"minReadySeconds": 5}}`) }),
					Config:    config(s),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`spec.minReadySeconds: "5"`), story.Meanwhile(func() {
						s.As("bob").Patch(story.Web, `{"metadata": {"annotations": {"note": "x"}}}`)
					})),
					Check: s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": story.Absent}),
				},
			)
		})
	}
}

// A patch takes back what the server does not store as the patch gives it, whatever other managers write between
// Terraform's two plans.
func TestValuesThatAreNotStoredAreTakenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ fields, lost, path string }{
		"a zero":          {"paused: false", `{"spec": {"paused": true}}`, "spec.paused"},
		"an empty string": {"template: {spec: {priorityClassName: \"\"}}", `{"spec": {"template": {"spec": {"priorityClassName": "system-node-critical"}}}}`, "spec.template.spec.priorityClassName"},
		"an empty list":   {"template: {spec: {tolerations: []}}", `{"spec": {"template": {"spec": {"tolerations": [{"operator": "Exists"}]}}}}`, "spec.template.spec.tolerations"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("helm").Apply(story.Deployment)
			config := s.PatchConfig(story.Web, "spec: {minReadySeconds: 3, "+test.fields+"}", ours)
			next := s.PatchConfig(story.Web, "spec: {minReadySeconds: 4, "+test.fields+"}", ours)
			s.Run(
				resource.TestStep{Config: config},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("eve").Patch(story.Web, test.lost) }),
					Config:    next,
					ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
						s.As("bob").Patch(story.Web, `{"metadata": {"annotations": {"note": "x"}}}`)
					})),
					Check: s.ExpectLive(story.Web, map[string]any{test.path: story.Absent}),
				},
				s.Noop(next),
			)
		})
	}
}

// What other managers write between the plan and the apply is named with the values that they wrote, not with the
// planned ones.
func TestValuesOfARace(t *testing.T) {
	t.Parallel()
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: settings, namespace: NS}\ndata: {a: MQ==}\n"
	for name, test := range map[string]struct {
		before, after func(s *story.Story) string
		write         func(s *story.Story)
		says          []string
		lacks         string
		object        string
	}{
		"set back by a manifest": {
			before: func(s *story.Story) string { return s.Config(story.SettingsWith(`level: "1", other: "1"`)) },
			after:  func(s *story.Story) string { return s.Config(story.SettingsWith(`level: "1", other: "2"`)) },
			write:  func(s *story.Story) { s.As("bob").Patch(story.SettingsTarget, `{"data": {"level": "9"}}`) },
			says:   []string{"set these fields back to the planned values. The values that they had:", `data.level: "9", written by "bob"`},
		},
		"removed by remove_fields": {
			before: func(s *story.Story) string {
				s.As("bob").Apply(story.SettingsWith(`extra: planned`))
				return s.Config(story.SettingsWith(`level: "1"`), story.Adopting)
			},
			after: func(s *story.Story) string {
				return s.Config(story.SettingsWith(`level: "1"`), story.Adopting, `remove_fields = ["data.extra"]`)
			},
			write: func(s *story.Story) { s.As("bob").Apply(story.SettingsWith(`extra: raced`)) },
			says:  []string{"The apply removed these fields", `data.extra: "raced", written by "bob"`},
		},
		"removed and set back by a merge patch": {
			before: func(s *story.Story) string {
				s.As("bob").Apply(story.SettingsWith(`extra: planned, level: "1"`))
				return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"z": "1"}}`, ours)
			},
			after: func(s *story.Story) string {
				return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"z": "1", "extra": null, "level": "2"}}`, ours)
			},
			write: func(s *story.Story) { s.As("bob").Apply(story.SettingsWith(`extra: raced, level: "9"`)) },
			says: []string{
				`planned values. The values that they had:`, `data.level: "9", written by "bob"`,
				"The apply removed these fields. The values that they had:", `data.extra: "raced", written by "bob"`,
			},
		},
		"a secret": {
			before: func(s *story.Story) string { return s.Config(secret) },
			after: func(s *story.Story) string {
				return s.Config(strings.Replace(secret, "a: MQ==", "a: MQ==, b: Mg==", 1))
			},
			write: func(s *story.Story) { s.As("bob").Patch("v1 Secret settings", `{"data": {"a": "aHVudGVy"}}`) },
			says:  []string{"data.a", `written by "bob"`}, lacks: "aHVudGVy",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			before := test.before(s)
			s.Run(
				resource.TestStep{Config: before},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.Provider.BeforeApply(func() { test.write(s) }) }),
					Config:    test.after(s),
					Check: func(*terraform.State) error {
						all := strings.Join(s.Provider.Everything(), "\n")
						if test.lacks != "" && strings.Contains(all, test.lacks) {
							t.Errorf("the secret value is in:\n%s", all)
						}
						return s.Warned(append(test.says, "Object Changed During Apply")...)
					},
				},
			)
		})
	}
}

// lacks asserts that no warning of the plan has a text.
func lacks(s *story.Story, text string) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings, _ := s.Provider.LastPlan()
		if all := strings.Join(warnings, "\n"); strings.Contains(all, text) {
			return fmt.Errorf("the plan says %q:\n%s", text, all)
		}
		return nil
	})
}

// What leaves a patch stays, and the apply says so, if the API server refuses the object without it: the defaults that it
// has put beside it need it.
func TestLeavingFieldsThatTheServerNeeds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ fields, stays, path string }{
		"a probe":           {`"livenessProbe": {"httpGet": {"port": 80}}`, `livenessProbe.httpGet.port`, `"port":80`},
		"a lifecycle hook":  {`"lifecycle": {"preStop": {"httpGet": {"port": 80}}}`, `lifecycle.preStop.httpGet.port`, `"port":80`},
		"a probe of a port": {`"startupProbe": {"tcpSocket": {"port": 81}}`, `startupProbe.tcpSocket.port`, `"port":81`},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.Deployment)
			of := func(fields string) string {
				return s.TypedPatchBlock("test", story.Web, "strategic", `{"metadata": {"labels": {"team": "x"}}, "spec": {"template": {"spec": {"containers": [{"name": "app"`+
					fields+`}]}}}}`, ours)
			}
			w := s.HostedWorkspace()
			w.Configure(of(", " + test.fields))
			w.Do("apply", "-auto-approve")
			w.Configure(of(""))
			out := unwrapped(w.Do("plan"))
			if !strings.Contains(out, "because the API server refuses the object without") ||
				!strings.Contains(out, `containers[name="app"].`+test.stays+": ") || strings.Contains(out, "removes") {
				t.Errorf("the plan promises another thing than the apply does:\n%s", out)
			}
			out = unwrapped(w.Do("apply", "-auto-approve"))
			if !strings.Contains(out, "does not accept the object without them") || !strings.Contains(out, `containers[name="app"].`+test.stays) {
				t.Error(out)
			}
			if live := story.AsJSON(s.Live(story.Web).Object["spec"]); !strings.Contains(live, test.path) {
				t.Errorf("it is gone: %s", live)
			}
			if out = w.Do("plan"); !strings.Contains(out, "No changes") {
				t.Error(out)
			}
		})
	}
}
