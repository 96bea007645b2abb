package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// With on_destroy = "hand_over" a destroy gives what we own to the applies of the successor. Its first apply of the same
// manifest is no write, and what it stops declaring later is removed.
func TestHandOver(t *testing.T) {
	t.Parallel()
	const service = "\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS, labels: {team: shop, tier: front}}\n" +
		"spec: {selector: {app: web}, ports: [{name: http, port: 80}, {name: https, port: 443}]}\n"
	for name, test := range map[string]struct{ target, body, less, gone, counts string }{
		"a ConfigMap": {
			story.SettingsTarget, settings("team: shop, tier: front", `{a: "1", b: "2"}`), settings("team: shop", `{a: "1", b: "2"}`),
			"metadata.labels.tier", "4 fields change owner, 0 values",
		},
		"a Service": {
			"v1 Service web", service, strings.Replace(service, ", tier: front", "", 1), "metadata.labels.tier", "fields change owner, 0 values",
		},
		"a custom resource": {
			"NS.example.com/v1 Gadget one", story.Gadget("size: 1, note: red"), story.Gadget("size: 1"), "spec.note", "2 fields change owner, 0 values",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if strings.Contains(test.body, "Gadget") {
				s.InstallGadgets()
			}
			target := s.Expand(test.target)
			s.Run(
				resource.TestStep{Config: s.Config(test.body, handOver, toFlux)},
				resource.TestStep{
					Config: s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Object Handed Over: ", test.counts+`: "k8sconnect" -> "kustomize-controller".`,
						"its first apply changes nothing", "Fields that it stops declaring later are removed.")),
					Check: story.LiveChecks(
						s.ExpectManagers(target, "Apply "+flux),
						applyChangesNothing(s, flux, test.body),
						drops(s, flux, test.less, target, test.gone),
					),
				},
			)
		})
	}
}

// The successor has applied some of the fields before: the entries are merged. Others keep what they own.
func TestHandOverToAManagerThatApplies(t *testing.T) {
	ours, theirs := settings("team: shop", `{a: "1", b: "2"}`), settings("tier: front", `{a: "1"}`)
	all := settings("team: shop, tier: front", `{a: "1", b: "2"}`)
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(ours, handOver, toFlux)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As(flux).Apply(theirs)
				s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"c": "3"}}`)
			}),
			Config:           s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Object Handed Over: ", "3 fields change owner, 0 values")),
			Check: story.LiveChecks(
				s.ExpectManagers(story.SettingsTarget, "Apply "+flux, "Update kubectl-edit"),
				applyChangesNothing(s, flux, all),
				drops(s, flux, settings("tier: front", `{a: "1", b: "2"}`), story.SettingsTarget, "metadata.labels.team"),
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","c":"3"}`, "data"),
			),
		},
	)
}

// A patch hands its fields over, whatever its type: what it wrote by an update is what an apply of the successor would
// have made.
func TestHandOverAPatch(t *testing.T) {
	t.Parallel()
	const part = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, labels: {team: shop}}\ndata: {b: \"2\"}\n"
	const values = `{"metadata": {"labels": {"team": "shop"}}, "data": {"b": "2"}}`
	for name, config := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchConfig(story.SettingsTarget, "metadata: {labels: {team: shop}}\ndata: {b: \"2\"}", handOver, toFlux, `field_manager = "patch"`)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchConfig(story.SettingsTarget, "merge", values, handOver, toFlux, `field_manager = "patch"`)
		},
		"strategic": func(s *story.Story) string {
			return s.TypedPatchConfig(story.SettingsTarget, "strategic", values, handOver, toFlux, `field_manager = "patch"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
			s.Run(
				resource.TestStep{Config: config(s)},
				resource.TestStep{
					Config: s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed: ", "It keeps the values of these fields",
						`2 fields change owner, 0 values: "patch" -> "kustomize-controller".`)),
					Check: story.LiveChecks(
						s.ExpectManagers(story.SettingsTarget, "Apply bob", "Apply "+flux),
						applyChangesNothing(s, flux, part),
						drops(s, flux, strings.Replace(part, ", labels: {team: shop}", "", 1), story.SettingsTarget, "metadata.labels"),
					),
				},
			)
		})
	}
}

// The requests of a handover are those of a release.
func TestHandOverCosts(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	s.Run(
		resource.TestStep{Config: s.Config(settings("team: shop", `{a: "1"}`), handOver, toFlux)},
		resource.TestStep{
			PreConfig: func() { m.Start() },
			Config:    s.ProviderBlock(),
			Check: m.Applies("get configmaps NS/settings 200", "get configmaps NS/settings 200",
				"patch configmaps NS/settings 200"),
		},
	)
}

// An object that another one replaces in the configuration is handed over as by a destroy.
func TestHandOverOfAReplacedObject(t *testing.T) {
	s := story.New(t)
	other := strings.Replace(settings("team: shop", `{a: "1"}`), "name: settings", "name: other", 1)
	s.Run(
		resource.TestStep{Config: s.Config(settings("team: shop", `{a: "1"}`), handOver, toFlux)},
		resource.TestStep{
			Config:           s.Config(other, handOver, toFlux),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Object Handed Over: ConfigMap", "2 fields change owner, 0 values")),
			Check: story.LiveChecks(s.ExpectManagers(story.SettingsTarget, "Apply "+flux),
				applyChangesNothing(s, flux, settings("team: shop", `{a: "1"}`))),
		},
	)
}

// A release says that no manager owns the fields then, and how a tool that applies them next gets them.
func TestReleaseNamesTheSuccessor(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(settings("team: shop", `{a: "1"}`), `on_destroy = "release"`)},
		resource.TestStep{
			Config: s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Object Released: ",
				`2 fields lose their owner, 0 values: "k8sconnect" gives them up.`, `on_destroy = "hand_over"`, `successor = "kustomize-controller"`)),
		},
	)
}

func TestSuccessorInputs(t *testing.T) {
	t.Parallel()
	body := settings("team: shop", `{a: "1"}`)
	for name, test := range map[string]struct {
		arguments []string
		says      []string
	}{
		"hand_over without a successor": {[]string{handOver}, []string{`on_destroy = "hand_over" needs successor.`, "Set successor to the field manager"}},
		"a successor without hand_over": {[]string{toFlux}, []string{`successor needs on_destroy = "hand_over".`, "Set both, or remove successor."}},
		"a successor beside release":    {[]string{`on_destroy = "release"`, toFlux}, []string{`successor needs on_destroy = "hand_over".`}},
		"empty":                         {[]string{handOver, `successor = ""`}, []string{"successor: a name is empty."}},
		"too long":                      {[]string{handOver, `successor = "` + strings.Repeat("x", 129) + `"`}, []string{"successor: a name has 129 bytes."}},
		"our own": {
			[]string{handOver, `successor = "me"`, `field_manager = "me"`},
			[]string{"successor is the field manager of this resource itself", "Write the field manager of the tool that applies the object next."},
		},
		"our own, that of the provider": {[]string{handOver, `successor = "k8sconnect"`}, []string{"successor is the field manager of this resource itself"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{Config: s.Config(body, test.arguments...), PlanOnly: true, ExpectError: story.Saying(test.says...)})
		})
	}
}
