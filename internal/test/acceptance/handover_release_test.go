package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// If no other manager owns anything of a released object, a placeholder is left. Without it, the API server would
// record no owner of later writes, and give all values to before-first-apply at the next apply, so that none would
// leave the object.
func TestReleaseIsNoTrap(t *testing.T) {
	t.Parallel()
	const release = `on_destroy = "release"`
	body := settings("team: shop, tier: front", `{a: "1"}`)
	less := settings("team: shop", `{a: "1"}`)
	for name, test := range map[string]struct {
		before  func(s *story.Story)
		after   func(s *story.Story)
		config  func(s *story.Story) string
		written string
	}{
		"a manifest": {nil, nil, func(s *story.Story) string { return s.Config(body, release) }, ""},
		"a patch": {
			func(s *story.Story) { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`)) },
			func(s *story.Story) { // Nobody but the patch owns anything.
				s.As("bob").JSONPatch(story.SettingsTarget, `[{"op": "replace", "path": "/metadata/managedFields", "value": [{"manager": "patch", `+
					`"operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:labels": {"f:team": {}, "f:tier": {}}}}}]}]`)
			},
			func(s *story.Story) string {
				return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"metadata": {"labels": {"team": "shop", "tier": "front"}}}`,
					release, `field_manager = "patch"`)
			}, "",
		},
		"written by an update in between": {nil, nil, func(s *story.Story) string { return s.Config(body, release) }, `{"data": {"b": "2"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if test.before != nil {
				test.before(s)
			}
			after := func() {
				if test.after != nil {
					test.after(s)
				}
			}
			checks := []resource.TestCheckFunc{
				s.ExpectManagers(story.SettingsTarget, "Update before-first-apply"),
				s.ExpectNoOwner(story.SettingsTarget, "metadata.labels.tier"), s.ExpectNoOwner(story.SettingsTarget, "data.a"),
			}
			s.Run(
				resource.TestStep{Config: test.config(s)},
				resource.TestStep{PreConfig: s.NextStep(after), Config: s.ProviderBlock(), Check: story.LiveChecks(checks...)},
			)
			if test.written != "" {
				s.As("kubectl-edit").Patch(story.SettingsTarget, test.written)
				story.Must(t, s.ExpectOwners(story.SettingsTarget, "data.b", "kubectl-edit")(nil))
			}
			s.As("argocd-controller").Apply(body)
			story.Must(t, s.ExpectOwners(story.SettingsTarget, "metadata.labels.tier", "argocd-controller")(nil))
			story.Must(t, drops(s, "argocd-controller", less, story.SettingsTarget, "metadata.labels.tier")(nil))
		})
	}
}

// An object that was released is adopted again as if no client had written to it: the placeholder is in no attribute.
func TestAdoptionOfAReleasedObject(t *testing.T) {
	body := settings("team: shop, tier: front", `{a: "1"}`)
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(body, `on_destroy = "release"`)},
		resource.TestStep{Config: s.ProviderBlock()},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           s.Config(body, "adopt_existing = true", "take_over_managers = []"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("The apply adopts it", `data.a: (none) -> "k8sconnect"`)),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.a: k8sconnect", "metadata.labels.team: k8sconnect", "metadata.labels.tier: k8sconnect"),
				story.ExpectState(story.CoOwners),
			),
		},
		resource.TestStep{
			Config: s.Config(settings("team: shop", `{a: "1"}`), "adopt_existing = true", "take_over_managers = []"),
			Check:  s.ExpectLive(story.SettingsTarget, map[string]any{"metadata.labels.tier": story.Absent}),
		},
	)
}

// A tool that applied the object and is gone is taken over like one that wrote by updates: the plan says how many fields
// it loses, no value changes, and what leaves the manifest leaves the object. It keeps what the manifest does not have.
func TestTakeOverOfAnApplierThatIsGone(t *testing.T) {
	t.Parallel()
	const helm = "helm"
	theirs := settings("team: shop, tier: front, chart: one", `{a: "1", b: "2"}`)
	ours := settings("team: shop, tier: front", `{a: "1", b: "2"}`)
	less := settings("team: shop", `{a: "1"}`)
	takeOver := `take_over_managers = ["helm"]`
	warning := []string{"Manager Taken Over: ", "take_over_managers names managers that have applied the object", `"helm": 4`, "If one of them is still in use, remove the object from it first."}
	const id = "apiVersion=v1,kind=ConfigMap,namespace=NS,name=settings"
	for name, take := range map[string]func(s *story.Story, body string) string{
		"adopted":  func(s *story.Story, body string) string { return s.Config(body, takeOver, "adopt_existing = true") },
		"imported": func(s *story.Story, body string) string { return s.ImportBlock(id) + s.Config(body, takeOver) },
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{
					PreConfig:        func() { s.As(helm).Apply(theirs) },
					Config:           take(s, ours),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(warning...)),
					Check: story.LiveChecks(
						s.ExpectOwners(story.SettingsTarget, "metadata.labels.tier", "k8sconnect"), s.ExpectOwners(story.SettingsTarget, "metadata.labels.chart", helm),
						s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2"}`, "data"),
					),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           s.Config(less, takeOver, strings.Repeat("adopt_existing = true", map[string]int{"adopted": 1}[name])),
					ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1"}`, "data"),
						s.ExpectLive(story.SettingsTarget, map[string]any{"metadata.labels.tier": story.Absent, "metadata.labels.chart": "one"}),
					),
				},
			)
		})
	}
}
