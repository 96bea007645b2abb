package acceptance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const resetSecret = `
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: NS}
stringData: {keep: a`

// Another client resets managedFields, and something leaves the manifest before the next apply. The API server would
// keep it, because it does not know any more that it is ours.
func TestFieldLeavesAfterReset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, before, after string
		path                  []string
		live                  string
	}{
		"a key of a Secret": {
			"v1 Secret s", resetSecret + ", revoked: b}", resetSecret + "}", []string{"data"}, `{"keep":"YQ=="}`,
		},
		"a key of a ConfigMap": {
			story.SettingsTarget, story.SettingsWith(`mode: "on", level: "1"`), story.SettingsWith(`mode: "on"`),
			[]string{"data"}, `{"mode":"on"}`,
		},
		"an annotation": {
			story.SettingsTarget, story.ConfigMapIn("settings", `data: {mode: "on"}`, `annotations: {a: "1", b: "2"}`),
			story.ConfigMapIn("settings", `data: {mode: "on"}`, `annotations: {a: "1"}`),
			[]string{"metadata", "annotations"}, `{"a":"1"}`,
		},
		"a list item with an empty map": {
			story.Web, story.Deployment + "      volumes: [{name: a, emptyDir: {}}, {name: b, emptyDir: {}}]\n",
			story.Deployment + "      volumes: [{name: a, emptyDir: {}}]\n",
			[]string{"spec", "template", "spec", "volumes"}, `[{"emptyDir":{},"name":"a"}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			s.Run(
				resource.TestStep{Config: s.Config(c.before)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(c.target, "[{}]") }),
					Config:    s.Config(c.after),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectAction(plancheck.ResourceActionUpdate), s.ExpectWarning("Owners Reset: "),
					),
					Check: s.ExpectLiveJSON(c.target, c.live, c.path...),
				},
			)
		})
	}
}

// The apply says what it has overwritten, also if the server refuses to remove what has left the manifest after it.
func TestOverwrittenByAnApplyThatFails(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "1"}`))
	remove, changed := func() {}, s.Config(story.ConfigMapIn("settings", `data: {a: "2"}`), story.Adopting)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMapIn("settings", `data: {a: "1", x: "1"}`), story.Adopting)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				dropEntry(s, story.SettingsTarget, "k8sconnect")
				s.Provider.BeforeApply(func() {
					s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "9"}}`)
					remove = installKeepingPolicy(s)
				})
			}),
			Config: changed, ExpectError: story.Saying("x has to stay"),
		},
		resource.TestStep{
			PreConfig: func() {
				story.Must(t, s.Warned("Object Changed During Apply", `data.a: "9", written by "eve"`))
				story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"2","b":"1","x":"1"}`, "data")(nil))
				remove()
			},
			Config: changed,
		},
	)
}

// A container, with the defaults that the API server has given it.
func TestContainerLeavesAfterReset(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("restore").StripManagedFields(story.Web, "[{}]") }),
			Config:           s.Config(story.WithoutSidecar),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Owners Reset: ")),
			Check: func(*terraform.State) error {
				list, _, err := unstructured.NestedSlice(s.Live(story.Web).Object, "spec", "template", "spec", "containers")
				if len(list) != 1 {
					return fmt.Errorf("containers: %v (%w)", list, err)
				}
				return nil
			},
		},
	)
}

// dropEntry removes the entry of a manager from managedFields.
func dropEntry(s *story.Story, target, manager string) {
	entries := slices.DeleteFunc(s.Live(target).GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Manager == manager
	})
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"managedFields": entries}})
	story.Must(s.T, err)
	s.As("restore").Patch(target, string(patch))
}

// Only our entry is gone: another manager has kept its own.
func TestFieldLeavesAfterOurEntry(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.SettingsWith(`mode: "on", level: "1"`))},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("policy").Apply(story.ConfigMapIn("settings", `data: {theirs: "1"}`))
				dropEntry(s, story.SettingsTarget, "k8sconnect")
			}),
			Config:           s.Config(story.SettingsWith(`mode: "on"`)),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"mode":"on","theirs":"1"}`, "data"),
		},
	)
}

// What another client has changed since stays, and so does what another manager owns. The plan says so.
func TestFieldStaysAfterReset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write func(story.Manager)
		says  []string
		live  string
	}{
		"changed": {
			func(m story.Manager) { m.Patch(story.SettingsTarget, `{"data": {"level": "7"}}`) },
			[]string{"because its value is not ours and nobody owns it:", `data.level: "7"`},
			`{"level":"7","mode":"on"}`,
		},
		"owned": {
			func(m story.Manager) { m.Apply(story.SettingsWith(`level: "1"`)) },
			[]string{"stays on the object, because others own it:", `data.level: "1"`, "policy"},
			`{"level":"1","mode":"on"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			s.Run(
				resource.TestStep{Config: s.Config(story.SettingsWith(`mode: "on", level: "1", size: "2"`))},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("restore").StripManagedFields(story.SettingsTarget, "[{}]")
						c.write(s.As("policy"))
					}),
					Config:           s.Config(story.SettingsWith(`mode: "on"`)),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(c.says...)),
					Check:            s.ExpectLiveJSON(story.SettingsTarget, c.live, "data"),
				},
			)
		})
	}
}

// Another manager has a part of a container that leaves the manifest. Without our entry in managedFields, an apply leaves
// the rest of it, whatever is pinned: the API server would refuse it without the image.
func TestContainerStaysAfterOurEntry(t *testing.T) {
	t.Parallel()
	const pins = `pin_fields = ["spec.template.spec.containers[*].imagePullPolicy"]`
	for name, arguments := range map[string][]string{"nothing is pinned": nil, "a value in it is pinned": {pins}} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			sidecar, without := s.Config(story.Sidecar, arguments...), s.Config(story.WithoutSidecar, arguments...)
			s.Run(
				resource.TestStep{Config: sidecar},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("policy").StrategicPatch(story.Web, `{"spec": {"template": {"spec": {"containers": [{"name": "log", "tty": true}]}}}}`)
						dropEntry(s, story.Web, "k8sconnect")
					}),
					Config:           without,
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`spec.template.spec.containers[name="log"].image: "fluent:1"`)),
					Check:            s.ExpectContainerOrder("app", "log"),
				},
				s.Noop(without),
			)
		})
	}
}

// The API server refuses what would be left of a map of which another manager has a part: ours stays. The only label
// goes, and not the metadata with it.
func TestNeededFieldStaysAfterOurEntry(t *testing.T) {
	s := story.NewCompared(t)
	labelled := strings.Replace(story.Probed(story.HTTPProbe), "name: web,", "name: web, labels: {team: shop},", 1)
	s.Run(
		resource.TestStep{Config: s.Config(labelled)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("policy").StrategicPatch(story.Web, `{"spec": {"template": {"spec": {"containers": [{"name": "app", "livenessProbe": {"periodSeconds": 5}}]}}}}`)
				dropEntry(s, story.Web, "k8sconnect")
			}),
			Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("because the API server refuses the object without",
				`spec.template.spec.containers[name="app"].livenessProbe.httpGet.port: "80"`)),
			Check: story.LiveChecks(
				s.ExpectContainer(story.Web, "app", "livenessProbe.httpGet.port", "80"),
				s.ExpectLive(story.Web, map[string]any{"metadata.labels": story.Absent}),
			),
		},
		s.Noop(s.Config(story.Deployment)),
	)
}

// The value changes between the plan and the apply: it stays.
func TestFieldChangesAfterResetAndPlan(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.SettingsWith(`mode: "on", level: "1"`))},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(story.SettingsTarget, "[{}]") }),
			Config:    s.Config(story.SettingsWith(`mode: "on"`)),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
				s.As("policy").Apply(story.ConfigMapIn("settings", `data: {level: "9"}`))
			})),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"level":"9","mode":"on"}`, "data"),
		},
	)
}

// A field that moves from the manifest to pin_fields after managedFields was reset keeps its value.
func TestFieldIsPinnedAfterReset(t *testing.T) {
	s := story.NewCompared(t)
	written, pins := story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`), `pin_fields = ["data.b"]`
	pinned := story.ConfigMapIn("settings", `data: {a: "1"}`)
	s.Run(
		resource.TestStep{Config: s.Config(written)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(story.SettingsTarget, "[{}]") }),
			Config:    s.Config(pinned, pins),
			Check:     s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2"}`, "data"),
		},
		s.Noop(s.Config(pinned, pins)),
	)
}

// The server fills in a value that leaves the manifest after a reset. No manager owns it, and so no later apply
// conflicts with our own update.
func TestDefaultAfterResetIsNobodys(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.WithReplicas(4), story.OrFail)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(story.Web, "[{}]") }),
			Config:    s.Config(story.WithReplicas(0), story.OrFail),
			Check:     story.LiveChecks(s.ExpectLiveJSON(story.Web, "1", "spec", "replicas"), s.ExpectNoOwner(story.Web, "spec.replicas")),
		},
		resource.TestStep{Config: s.Config(story.WithReplicas(3), story.OrFail), Check: s.ExpectLiveJSON(story.Web, "3", "spec", "replicas")},
	)
}

// The server fills in a value when an apply removes those beside one that was released.
func TestDefaultBesideReleasedIsNobodys(t *testing.T) {
	s := story.NewCompared(t)
	const left = `ignore_fields = ["spec.strategy.rollingUpdate.maxUnavailable"]`
	with := strings.Replace(story.Deployment, "spec:\n", "spec:\n  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n", 1)
	s.Run(
		resource.TestStep{Config: s.Config(with)},
		resource.TestStep{Config: s.Config(with, left)},
		resource.TestStep{
			Config: s.Config(story.Deployment, left),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.Web, "0", "spec", "strategy", "rollingUpdate", "maxUnavailable"),
				s.ExpectNoOwner(story.Web, "spec.strategy.rollingUpdate.maxSurge"),
			),
		},
	)
}
