package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// remove_fields removes what other managers set, each time that they set it, and the plan says from whom.
func TestRemoveFields(t *testing.T) {
	s := story.New(t)
	const note = "metadata.annotations.example.com/note"
	m := s.Meter()
	const get, try = "get configmaps NS/settings 200", "patch configmaps NS/settings dry-run 200"
	const patch = "patch configmaps NS/settings 200"
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`, `annotations: {example.com/note: secret plans, kept: "1"}`))
	config := s.PatchConfig(story.SettingsTarget, "data: {c: ours}", `field_manager = "patch"`, `remove_fields = ["metadata.annotations[\"example.com/note\"]"]`)
	annotations := func(want string) resource.TestCheckFunc {
		return s.ExpectLiveJSON(story.SettingsTarget, want, "metadata", "annotations")
	}
	s.Run(
		resource.TestStep{
			PreConfig:        m.Start,
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(note+`: "secret plans", removed, owned by "bob"`, "To keep a field, remove its path from remove_fields.")),
			Check:            story.LiveChecks(annotations(`{"kept":"1"}`), m.Applies(get, try, try, get, try, try, patch, patch)),
		},
		s.Noop(config),
		resource.TestStep{ // Somebody brings it back.
			PreConfig: s.NextStep(func() {
				s.As("eve").Patch(story.SettingsTarget, `{"metadata": {"annotations": {"example.com/note": "again"}}}`)
			}),
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(note + `: "again", removed, owned by "eve"`)),
			Check:            annotations(`{"kept":"1"}`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("eve").Patch(story.SettingsTarget, `{"metadata": {"annotations": {"example.com/note": "again"}}}`)
			}),
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(note + ", for the 2nd time in a row")),
			Check:            annotations(`{"kept":"1"}`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("eve").Patch(story.SettingsTarget, `{"metadata": {"annotations": {"example.com/note": "again"}}}`)
			}),
			Config:      s.PatchConfig(story.SettingsTarget, "data: {c: ours}", `field_manager = "patch"`, `remove_fields = ["metadata.annotations[\"example.com/note\"]"]`, `on_conflict = "fail"`),
			ExpectError: story.Saying("Field Ownership Conflict", note),
		},
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check:  story.LiveChecks(annotations(`{"example.com/note":"again","kept":"1"}`), expectNoEntry(s, story.SettingsTarget, "patch")),
		},
	)
}

// A field that leaves the patch for remove_fields is removed, or gets its default, and the plan says that.
func TestFieldThatLeavesForRemoveFields(t *testing.T) {
	s := story.New(t)
	s.As("bob").Create(strings.Replace(story.Deployment, "namespace: NS", "namespace: NS, annotations: {level: info}", 1))
	config := func(body string, arguments ...string) string {
		return s.PatchConfig(story.Web, body, append(arguments, `field_manager = "patch"`)...)
	}
	const rest = "spec: {minReadySeconds: 3}"
	removing := config(rest, `remove_fields = ["spec.replicas", "metadata.annotations.level"]`)
	s.Run(
		resource.TestStep{Config: config("{metadata: {annotations: {level: trace}}, spec: {replicas: 4, minReadySeconds: 3}}")},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           removing,
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(`spec.replicas: "4" -> "1" (default)`)),
			Check:            s.ExpectLiveJSON(story.Web, "1", "spec", "replicas"),
		},
		s.Noop(removing),
	)
}

// A typed patch that removes what it has set says what the API server fills in instead.
func TestFieldThatATypedPatchRemovesItself(t *testing.T) {
	t.Parallel()
	for kind, bodies := range map[string][2]string{
		"merge":     {`{"spec": {"replicas": 4}}`, `{"spec": {"replicas": null}}`},
		"strategic": {`{"spec": {"replicas": 4}}`, `{"spec": {"replicas": null}}`},
		"json":      {`[{"op": "replace", "path": "/spec/replicas", "value": 4}]`, `[{"op": "remove", "path": "/spec/replicas"}]`},
	} {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Create(story.Deployment)
			removing := s.TypedPatchConfig(story.Web, kind, bodies[1], ours)
			s.Run(
				resource.TestStep{Config: s.TypedPatchConfig(story.Web, kind, bodies[0], ours)},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    removing,
					ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(
						"a field leaves patch, and the API server gives it its default:\n\n  spec.replicas: \"4\" -> \"1\" (default)",
					)),
					Check: s.ExpectLiveJSON(story.Web, "1", "spec", "replicas"),
				},
				s.Noop(removing),
			)
		})
	}
}

// A field that no manager owns is removed, too, and the plan says why.
func TestRemoveFieldsThatNobodyOwns(t *testing.T) {
	s := story.New(t)
	const settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, annotations: {a: \"1\", b: \"2\", kept: \"1\"}}\n"
	s.As("bob").Apply(settings)
	s.As("bob").Patch(story.SettingsTarget, `{"metadata": {"managedFields": [{}]}}`)
	config := func(paths string) string {
		return s.PatchConfig(story.SettingsTarget, "data: {c: ours}", `field_manager = "patch"`, "remove_fields = ["+paths+"]")
	}
	s.Run(
		resource.TestStep{
			Config: config(`"metadata.annotations.a"`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
				"the apply removes a value that nobody owns, because remove_fields covers it:", `metadata.annotations.a: "1"`,
			)),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2","kept":"1"}`, "metadata", "annotations"),
		},
		s.Noop(config(`"metadata.annotations.a"`)),
	)
}

// A field that our own manager has set is removed, too, although no state has it: the plan shows its value.
func TestRemoveFieldsOfOurOwnManager(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {kept: "1"}`))
	s.As("patch").Apply(story.ConfigMapIn("settings", `data: {b: "precious", c: ours}`))
	config := s.PatchConfig(story.SettingsTarget, "data: {c: ours}", `field_manager = "patch"`, `remove_fields = ["data.b"]`)
	s.Run(
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`data.b: "precious"`)),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"c":"ours","kept":"1"}`, "data"),
		},
		s.Noop(config),
	)
}

// What the server does not let go of is an error of the plan.
func TestRemoveRequiredField(t *testing.T) {
	s := story.New(t)
	s.As("helm").Apply(story.Deployment)
	s.Run(
		resource.TestStep{
			Config: s.PatchConfig(story.Web, "metadata: {labels: {team: a}}", `remove_fields = ["spec.template.spec.containers[name=\"app\"].image"]`),
			ExpectError: story.Saying("Field Cannot Be Removed", "image: Required value", "what remove_fields covers:",
				`spec.template.spec.containers[name="app"].image`, "Remove the path from remove_fields."),
		},
		resource.TestStep{
			Config:      s.PatchConfig(story.Web, "metadata: {labels: {team: a}}", `remove_fields = ["metadata.labels"]`),
			ExpectError: story.Saying("Invalid Field Path", "remove_fields: metadata.labels covers a field of yaml_body"),
		},
		resource.TestStep{
			Config:      s.PatchConfig(story.Web, "metadata: {labels: {team: a}}", `remove_fields = ["metadata.name"]`),
			ExpectError: story.Saying("Invalid Field Path", "metadata.name"),
		},
	)
}

// With a field that remove_fields covers, the server may drop others by itself. The plan lists them, with their values and
// owners.
func TestRemoveFieldsThatTakeOthersAlong(t *testing.T) {
	t.Parallel()
	const target = "v1 Service web"
	service := func(spec string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {selector: {a: b}, ports: [{port: 80}], " + spec + "}\n"
	}
	for name, c := range map[string]struct {
		spec, remove, drops string
		unowned             bool
		gone                []string
	}{
		"the configuration of an affinity": {
			spec: "sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 600}}", remove: "spec.sessionAffinity",
			drops: `spec.sessionAffinityConfig.clientIP.timeoutSeconds: "600", removed with spec.sessionAffinity`,
			gone:  []string{"spec.sessionAffinityConfig"},
		},
		"the same, which nobody owns": {
			spec: "sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 600}}", remove: "spec.sessionAffinity",
			drops:   `spec.sessionAffinityConfig.clientIP.timeoutSeconds: "600", removed with spec.sessionAffinity`,
			unowned: true, gone: []string{"spec.sessionAffinityConfig"},
		},
		"what only this type of a Service has": {
			spec: "type: LoadBalancer, allocateLoadBalancerNodePorts: false, externalTrafficPolicy: Cluster", remove: "spec.type",
			drops: `spec.allocateLoadBalancerNodePorts: "false", removed with spec.type`,
			gone:  []string{"spec.allocateLoadBalancerNodePorts", "spec.externalTrafficPolicy"},
		},
	} {
		for how, config := range map[string]func(s *story.Story, arguments ...string) string{
			"by a patch": func(s *story.Story, arguments ...string) string {
				return s.PatchConfig(target, "metadata: {labels: {team: a}}", append(arguments, ours)...)
			},
			"by a manifest": func(s *story.Story, arguments ...string) string {
				return s.Config("{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS, labels: {team: a}}}", append(arguments, story.Adopting)...)
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				s := story.New(t)
				s.As("flux").Apply(service(c.spec))
				says, refused := []string{c.drops + `, owned by "flux"`, "To keep a field, remove its path from remove_fields."}, "is applied"
				if c.unowned {
					s.As("flux").StripManagedFields(target, "[{}]")
					says = []string{c.drops, "the API server drops it with what the apply removes"}
				}
				gone := map[string]any{}
				for _, field := range c.gone {
					gone[field] = story.Absent
				}
				remove := `remove_fields = ["` + c.remove + `"]`
				var steps []resource.TestStep
				if !c.unowned {
					steps = append(steps, resource.TestStep{Config: config(s, remove, story.OrFail), ExpectError: story.Saying(refused, c.drops)})
				}
				s.Run(append(steps,
					resource.TestStep{
						Config: config(s, remove), ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(says...)),
						Check: s.ExpectLive(target, gone),
					},
					s.Noop(config(s, remove)),
				)...)
			})
		}
	}
}

// A patch may do nothing but remove fields.
func TestOnlyRemoveFields(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`, "finalizers: [example.com/hold, example.com/keep]"))
	only := func(paths string) string {
		return strings.Replace(s.PatchConfig(story.SettingsTarget, "", "remove_fields = ["+paths+"]"), "  yaml_body = <<-YAML\n\nYAML\n", "", 1)
	}
	config := only(`"metadata.finalizers[=\"example.com/hold\"]", "data.a"`)
	s.Run(
		resource.TestStep{
			Config: config,
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2"}`, "data"),
				s.ExpectLiveJSON(story.SettingsTarget, `["example.com/keep"]`, "metadata", "finalizers"),
			),
		},
		s.Noop(config),
		resource.TestStep{Config: strings.Replace(config, "remove_fields", "# remove_fields", 1), ExpectError: story.Saying("yaml_body", "remove_fields")},
		resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2"}`, "data")},
	)
}

// A field of others without a value is removed as one with a value is, by the same plan in both rounds.
func TestRemoveFieldsThatAreEmpty(t *testing.T) {
	for name, value := range map[string]string{"a list": "[]", "a map": "{}", "a list beside a value": "[], m: 1", "a map in a map": "{n: {}}"} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			s.As("flux").Apply(story.Gadget("free: {a: {l: " + value + "}, kept: 1}"))
			config := func(arguments ...string) string {
				return s.PatchConfig(s.GadgetTarget(), "metadata: {annotations: {n: x}}", append(arguments, `field_manager = "patch"`)...)
			}
			s.Run(
				resource.TestStep{Config: config()},
				resource.TestStep{
					Config:           config(`remove_fields = ["spec.free.a"]`),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("spec.free.a", "removed with", `owned by "flux"`)),
					Check:            s.ExpectLiveJSON(s.GadgetTarget(), `{"kept":1}`, "spec", "free"),
				},
				s.Noop(config(`remove_fields = ["spec.free.a"]`)),
			)
		})
	}
}
