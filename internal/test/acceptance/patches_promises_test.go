package acceptance_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// patchForms are configurations of a patch that sets entries of data, for each kind of patch.
func patchForms() map[string]func(s *story.Story, data map[string]any, arguments ...string) string {
	type configuration = func(s *story.Story, data map[string]any, arguments ...string) string
	typed := func(kind string) configuration {
		return func(s *story.Story, data map[string]any, arguments ...string) string {
			return s.TypedPatchConfig(story.SettingsTarget, kind, story.AsJSON(map[string]any{"data": data}), append(arguments, ours)...)
		}
	}
	return map[string]configuration{
		"apply": func(s *story.Story, data map[string]any, arguments ...string) string {
			return s.PatchConfig(story.SettingsTarget, story.AsJSON(map[string]any{"data": data}), append(arguments, ours)...)
		},
		"merge": typed("merge"), "strategic": typed("strategic"),
		"json": func(s *story.Story, data map[string]any, arguments ...string) string {
			var operations []any
			for name, value := range data {
				operations = append(operations, map[string]any{"op": "add", "path": "/data/" + name, "value": value})
			}
			return s.TypedPatchConfig(story.SettingsTarget, "json", story.AsJSON(operations), append(arguments, ours)...)
		},
	}
}

const (
	beforeTheApply = "before the apply"
	inTheApply     = "in the apply"
)

// at runs write before the apply, or after the plan that the apply makes.
func at(s *story.Story, when string, write func()) func() {
	if when == beforeTheApply {
		return write
	}
	return func() { s.Provider.BeforeApply(write) }
}

// A field leaves a patch, and the plan says that it keeps its value, because the operator owns it too. The operator gives it up before
// the apply: it keeps its value all the same, whether it was there before the patch or not.
func TestSharedFieldThatLeavesAPatchStays(t *testing.T) {
	t.Parallel()
	for kind, config := range patchForms() {
		for _, when := range []string{beforeTheApply, inTheApply} {
			for _, policy := range []string{`on_conflict = "force"`, `on_conflict = "fail"`} {
				t.Run(kind+", given up "+when+", "+policy, func(t *testing.T) {
					s := story.New(t)
					s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1", level: debug}`))
					after := config(s, map[string]any{"mine": "1"}, policy)
					s.Run(
						resource.TestStep{Config: config(s, map[string]any{"mine": "1", "level": "debug", "added": "1"}, policy)},
						resource.TestStep{
							PreConfig: s.NextStep(func() { s.As("operator").Apply(story.ConfigMapIn("settings", `data: {level: debug, added: "1"}`)) }),
							Config:    after,
							ConfigPlanChecks: story.PlanChecks(
								s.ExpectPlanSays("data.added", `owned by "operator"`),
								story.Meanwhile(at(s, when, func() { s.As("operator").Apply(story.ConfigMapIn("settings", "")) })),
							),
							Check: s.ExpectLiveJSON(story.SettingsTarget, `{"added":"1","kept":"1","level":"debug","mine":"1"}`, "data"),
						},
					)
				})
			}
		}
	}
}

// The server refuses the object without the field that leaves. The apply releases the field, so it never asks for that.
func TestSharedFieldThatTheServerNeedsStays(t *testing.T) {
	s := story.New(t)
	container := func(fields string) string {
		return "spec: {template: {spec: {containers: [{name: log" + fields + "}]}}}"
	}
	const env = `, env: [{name: A, value: "1"}]`
	helm := func(spec string) {
		s.As("helm").Apply("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, labels: {helm: \"yes\"}}\n" + spec)
	}
	s.As("bob").Apply(story.Deployment)
	s.Run(
		resource.TestStep{Config: s.PatchConfig(story.Web, container(`, image: "fluent:1"`+env), ours)},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { helm(container(`, image: "fluent:1"`)) }),
			Config:           s.PatchConfig(story.Web, container(env), ours),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() { helm("") })),
			Check:            s.ExpectContainer(story.Web, "log", "image", "fluent:1"),
		},
	)
}

// The plan of a destroy says that fields keep their values, because the operator owns them too. The operator gives them up before the
// destroy: they keep their values, whatever the destroy does with the others.
func TestSharedFieldOfADestroyStays(t *testing.T) {
	t.Parallel()
	for kind, config := range patchForms() {
		for policy, rest := range map[string]string{"remove": `"level":"trace"`, "restore": `"level":"info"`, "release": `"level":"trace","mine":"1"`} {
			t.Run(kind+", then "+policy, func(t *testing.T) {
				s := story.New(t)
				s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1", level: info, shared: info}`))
				data := map[string]any{"mine": "1", "level": "trace", "shared": "debug", "added": "1"}
				s.Run(
					resource.TestStep{Config: config(s, data, `on_destroy = "`+policy+`"`)},
					resource.TestStep{
						PreConfig: s.NextStep(func() { s.As("operator").Apply(story.ConfigMapIn("settings", `data: {shared: debug, added: "1"}`)) }),
						Config:    config(s, data, `on_destroy = "`+policy+`"`),
					},
					resource.TestStep{
						Config: s.ProviderBlock(),
						ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
							s.As("operator").Apply(story.ConfigMapIn("settings", ""))
						})),
						Check: story.LiveChecks(
							s.ExpectLiveJSON(story.SettingsTarget, `{"added":"1","kept":"1",`+rest+`,"shared":"debug"}`, "data"),
							expectNoEntry(s, story.SettingsTarget, "patch"),
						),
					},
				)
			})
		}
	}
}

// A later apply of a patch removes what other managers have set after its plan, and says so with the value. With
// on_conflict = "fail" it removes nothing, and applies nothing.
func TestRemoveFieldsThatOthersSetAfterThePlan(t *testing.T) {
	t.Parallel()
	const note = "metadata.annotations.note"
	remove := `remove_fields = ["data.x", "metadata.annotations"]`
	for name, c := range map[string]struct {
		write func(s *story.Story)
		says  []string
		left  string
		// stays is what on_conflict = "fail" leaves.
		stays string
	}{
		"a value": {
			write: func(s *story.Story) { s.As("alice").Apply(story.ConfigMapIn("settings", `data: {x: precious}`)) },
			says:  []string{`data.x: "precious", written by "alice"`}, left: `{"kept":"1","mine":"2"}`, stays: `{"kept":"1","mine":"1","x":"precious"}`,
		},
		"a map": {
			write: func(s *story.Story) {
				s.As("alice").Apply(story.ConfigMapIn("settings", "", `annotations: {note: precious}`))
			},
			says: []string{`metadata.annotations`, `precious`, `written by "alice"`}, left: `{"kept":"1","mine":"2"}`, stays: `{"kept":"1","mine":"1"}`,
		},
	} {
		for _, when := range []string{beforeTheApply, inTheApply} {
			t.Run(name+", set "+when, func(t *testing.T) {
				config := func(s *story.Story, value, policy string) string {
					return s.PatchConfig(story.SettingsTarget, "data: {mine: \""+value+"\"}", ours, remove, `on_conflict = "`+policy+`"`)
				}
				s := story.New(t)
				s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
				s.Run(
					resource.TestStep{Config: config(s, "1", "force")},
					resource.TestStep{
						PreConfig:        s.NextStep(),
						Config:           config(s, "2", "force"),
						ConfigPlanChecks: story.PlanChecks(story.Meanwhile(at(s, when, func() { c.write(s) }))),
						Check: story.LiveChecks(
							func(*terraform.State) error {
								return s.Warned(append(c.says, "The apply removed these fields. The values that they had:", "To keep a field, remove its path from remove_fields.")...)
							},
							s.ExpectLiveJSON(story.SettingsTarget, c.left, "data"), s.ExpectLive(story.SettingsTarget, map[string]any{note: story.Absent}),
						),
					},
					s.Noop(config(s, "2", "force")),
				)
			})
			t.Run(name+", set "+when+", refused", func(t *testing.T) {
				config := func(s *story.Story, value string) string {
					return s.PatchConfig(story.SettingsTarget, "data: {mine: \""+value+"\"}", ours, remove, `on_conflict = "fail"`)
				}
				s := story.New(t)
				s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
				s.Run(
					resource.TestStep{Config: config(s, "1")},
					resource.TestStep{
						PreConfig:        s.NextStep(),
						Config:           config(s, "2"),
						ConfigPlanChecks: story.PlanChecks(story.Meanwhile(at(s, when, func() { c.write(s) }))),
						ExpectError:      story.Saying("Field Ownership Conflict", "precious", `owned by "alice"`, "remove_fields"),
					},
					resource.TestStep{
						PreConfig: s.NextStep(func() {
							story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, c.stays, "data")(nil))
							s.As("alice").Apply(story.ConfigMapIn("settings", ""))
						}),
						Config: config(s, "2"),
						Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"kept":"1","mine":"2"}`, "data"),
					},
				)
			})
		}
	}
}

// An apply that refuses to remove what other managers have set after its plan has written nothing before, not even
// claims.
func TestRefusalComesBeforeTheFirstWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, owner string }{
		"another field manager": {`field_manager = "before"`, `field_manager = "after"`, "before"},
		"a field that leaves":   {`field_manager = "patch"`, `field_manager = "patch", ignore_fields = ["data.mine"]`, "patch"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config := func(value, arguments string) string {
				lines := append(strings.Split(arguments, ", "), `remove_fields = ["data.x"]`, story.OrFail)
				return s.PatchConfig(story.SettingsTarget, `data: {mine: "1", other: "`+value+`"}`, lines...)
			}
			var version string
			s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
			s.Run(
				resource.TestStep{Config: config("1", c.before)},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    config("2", c.after),
					ConfigPlanChecks: story.PlanChecks(story.Meanwhile(at(s, inTheApply, func() {
						s.As("alice").Apply(story.ConfigMapIn("settings", `data: {x: precious}`))
						version = s.Live(story.SettingsTarget).GetResourceVersion()
					}))),
					ExpectError: story.Saying("Field Ownership Conflict", "precious", `owned by "alice"`),
				},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						if now := s.Live(story.SettingsTarget).GetResourceVersion(); now != version {
							t.Errorf("the refused apply has written: resourceVersion %s, then %s", version, now)
						}
						story.Must(t, s.ExpectOwners(story.SettingsTarget, "data.mine", c.owner)(nil))
						s.As("alice").Apply(story.ConfigMapIn("settings", ""))
					}),
					Config: config("2", c.after),
				},
			)
		})
	}
}

// The API server fills a field in again that remove_fields removes. The plan says that, once, and the next plan is
// empty. No manager owns the value then, and a destroy that only releases leaves nothing of the patch.
func TestRemoveFieldsThatTheServerFillsIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, object, body, field string
		was, is                     string
		path                        []string
		live                        string
	}{
		"a default of a custom resource": {
			target: "NS.example.com/v1 Widget web", object: strings.Replace(story.WidgetHere, "colour: red", "colour: red, size: 5", 1),
			body: "metadata: {labels: {team: a}}", field: "spec.size", was: `"5"`, is: `"3"`, path: []string{"spec"}, live: `{"colour":"red","size":3}`,
		},
		"a field that is there already": {
			target: "NS.example.com/v1 Widget web", object: story.WidgetHere,
			body: "metadata: {labels: {team: a}}", field: "spec.size", was: `"3"`, is: `"3"`, path: []string{"spec"}, live: `{"colour":"red","size":3}`,
		},
		"a required map": {
			target: "networking.k8s.io/v1 NetworkPolicy deny",
			object: "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: deny, namespace: NS}\nspec: {podSelector: {matchLabels: {a: b}}, policyTypes: [Egress]}\n",
			body:   "metadata: {labels: {team: a}}", field: "spec.podSelector", was: `"{\"matchLabels\":{\"a\":\"b\"}}"`, is: `"{}"`,
			path: []string{"spec"}, live: `{"podSelector":{},"policyTypes":["Egress"]}`,
		},
		"a default of a built-in kind": {
			target: "v1 Service web",
			object: "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {selector: {a: b}, ports: [{port: 80}], internalTrafficPolicy: Local}\n",
			body:   "metadata: {labels: {team: a}}", field: "spec.internalTrafficPolicy", was: `"Local"`, is: `"Cluster"`,
			path: []string{"spec", "internalTrafficPolicy"}, live: `"Cluster"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(story.WidgetDefinition)
			s.As("flux").Create(c.object)
			config := s.PatchConfig(c.target, c.body, ours, `remove_fields = ["`+c.field+`"]`, `on_destroy = "release"`)
			s.Run(
				resource.TestStep{
					Config: config,
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(c.was+", removed (the API server sets "+c.is+" again)",
						"remove_fields cannot keep "+c.field)),
					Check: story.LiveChecks(s.ExpectLiveJSON(c.target, c.live, c.path...), expectNoUpdates(s, c.target, "patch")),
				},
				s.Noop(config),
				resource.TestStep{Config: s.ProviderBlock(), Check: expectNoEntry(s, c.target, "patch")},
			)
		})
	}
}

// What the server has filled in stays settled: with the next apply, too, until another client sets another value.
func TestFilledInFieldIsSettled(t *testing.T) {
	s := story.New(t)
	s.InstallKind(story.WidgetDefinition)
	const target = "NS.example.com/v1 Widget web"
	s.As("flux").Create(strings.Replace(story.WidgetHere, "colour: red", "colour: red, size: 5", 1))
	config := func(team string) string {
		return s.PatchConfig(target, "metadata: {labels: {team: "+team+"}}", ours, `remove_fields = ["spec.size"]`)
	}
	m := s.Meter()
	const patch, try = "patch widgets NS/web 200", "patch widgets NS/web dry-run 200"
	s.Run(
		resource.TestStep{Config: config("a")},
		resource.TestStep{
			PreConfig:        s.NextStep(m.Start),
			Config:           config("b"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check:            m.Applies("get widgets NS/web 200", try, try, patch),
		},
		s.Noop(config("b")),
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("eve").Patch(target, `{"spec": {"size": 7}}`) }),
			Config:           config("b"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`spec.size: "7", removed`, `owned by "eve"`)),
			Check:            s.ExpectLive(target, map[string]any{"spec.size": 3}),
		},
		s.Noop(config("b")),
	)
}

// expectNoUpdates checks that a manager owns nothing by updates.
func expectNoUpdates(s *story.Story, target, manager string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, entry := range s.Live(target).GetManagedFields() {
			if entry.Manager == manager && entry.Operation == metav1.ManagedFieldsOperationUpdate {
				return fmt.Errorf("%s owns %s by updates", manager, entry.FieldsV1)
			}
		}
		return nil
	}
}

// A new patch with one value in manifest that is not known yet plans what is known: it names the conflicts of the other fields, and
// refuses them.
func TestNewPatchWithAnUnknownValue(t *testing.T) {
	t.Parallel()
	manifest := func(s *story.Story, arguments ...string) string {
		block := s.PatchConfig(story.SettingsTarget, "", append(arguments, `manifest = {
    metadata = { annotations = { note = "mine" } }
    data     = { fresh = terraform_data.later.output }
  }`)...)
		return strings.Replace(block, "  yaml_body = <<-YAML\n\nYAML\n", "", 1) + story.Later("later", "val")
	}
	for name, arguments := range map[string][]string{"a manager of its own": nil, "a named manager": {ours}} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Apply(story.ConfigMapIn("settings", `data: {k: v}`, `annotations: {note: precious}`))
			config := manifest(s, arguments...)
			s.Run(
				resource.TestStep{
					Config:           config,
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`metadata.annotations.note: "precious" -> "mine", owned by "flux"`)),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(story.SettingsTarget, `{"fresh":"val","k":"v"}`, "data"),
						s.ExpectLiveJSON(story.SettingsTarget, `{"note":"mine"}`, "metadata", "annotations"),
					),
				},
				s.Noop(config),
			)
		})
		t.Run(name+", refused", func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Apply(story.ConfigMapIn("settings", `data: {k: v}`, `annotations: {note: precious}`))
			s.Run(resource.TestStep{
				Config: manifest(s, append(arguments, `on_conflict = "fail"`)...), PlanOnly: true,
				ExpectError: story.Saying("Field Ownership Conflict", "metadata.annotations.note"),
			})
		})
	}
}

// Two patches whose field managers are not known yet may apply to one object, and are refused if they meet in a known field.
func TestTwoNewPatchesWithUnknownValues(t *testing.T) {
	block := func(s *story.Story, name, field string) string {
		text := s.PatchBlock(name, story.SettingsTarget, "", `manifest = { data = { `+field+` = terraform_data.later.output } }`)
		return strings.Replace(text, "  yaml_body = <<-YAML\n\nYAML\n", "", 1)
	}
	s := story.New(t)
	s.As("flux").Apply(story.ConfigMapIn("settings", `data: {k: v}`))
	both := func(one, two string) string {
		return s.ProviderBlock() + block(s, "one", one) + block(s, "two", two) + story.Later("later", "val")
	}
	s.Run(
		resource.TestStep{Config: both("a", "a"), ExpectError: story.Saying("Field Managed Twice", "data.a")},
		resource.TestStep{Config: both("a", "b"), Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"val","b":"val","k":"v"}`, "data")},
	)
}

// The plan of a manifest names a value that no manager owns, also if a patch of the same object is planned in the same
// run.
func TestUnownedValueBesideAPatch(t *testing.T) {
	t.Parallel()
	for n := range 6 {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			s := story.New(t)
			config := func(body string) string {
				return s.Config(body) + s.PatchBlock("patch", story.Web, "metadata: {labels: {extra: ours}}", ours, "depends_on = [k8sconnect_manifest.test]")
			}
			s.Run(
				resource.TestStep{Config: config(story.Unscaled(story.Busy("0")))},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    config(strings.Replace(story.Busy("0"), "replicas: 3", "replicas: 5", 1)),
					ConfigPlanChecks: story.PlanChecks(
						s.ExpectWarning("the apply changes a value that nobody owns:\n\n  spec.replicas: \"1\" -> \"5\""),
					),
				},
			)
		})
	}
}
