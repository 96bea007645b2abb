package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An empty map in yaml_body declares nothing of what other managers put into it: plans stay empty, and a write between
// a plan and its apply breaks nothing.
func TestEmptyMapsOfTheManifest(t *testing.T) {
	t.Parallel()
	t.Run("a controller annotates", func(t *testing.T) {
		s := story.NewCompared(t)
		body := strings.Replace(story.Busy("0"), "annotations: {note: ours}", "annotations: {}", 1)
		s.Run(
			resource.TestStep{Config: s.Config(body), Check: func(*terraform.State) error { s.AwaitRollouts(); return nil }},
			resource.TestStep{Config: s.Config(body), PlanOnly: true},
			resource.TestStep{
				Config: s.Config(strings.Replace(body, "replicas: 3", "replicas: 2", 1)),
				ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "spec.replicas: 3 -> 2"), story.Meanwhile(func() {
					s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.25","env":[{"name":"A","value":"1"}]}]}}}}`)
					s.As("kubectl-annotate").Patch(story.Web, `{"metadata":{"annotations":{"a":"1"}}}`)
				})),
			},
		)
	})
	t.Run("somebody annotates between plan and apply", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`, "annotations: {}"))},
			resource.TestStep{
				Config: s.Config(story.ConfigMapIn("kept", `data: {a: "2"}`, "annotations: {}")),
				ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.a: 1 -> 2"), story.Meanwhile(func() {
					s.As("kubectl-annotate").Patch(story.KeptMap, `{"metadata":{"annotations":{"n":"1"}}}`)
				})),
				Check: s.ExpectLiveJSON(story.KeptMap, `{"n":"1"}`, "metadata", "annotations"),
			},
		)
	})
	t.Run("somebody fills a map that another manager has empty, too", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`, "labels: {}"))},
			resource.TestStep{
				PreConfig: s.NextStep(func() { s.As("platform").Apply(story.ConfigMapIn("kept", "", "labels: {}")) }),
				Config:    s.Config(story.ConfigMapIn("kept", `data: {a: "2"}`, "labels: {}")),
				ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
					s.As("operator").Patch(story.KeptMap, `{"metadata":{"labels":{"team":"search"}}}`)
				})),
				Check: s.ExpectLiveJSON(story.KeptMap, `{"team":"search"}`, "metadata", "labels"),
			},
		)
	})
	t.Run("somebody empties a map whose content nobody owns", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`, "labels: {}"))},
			resource.TestStep{
				PreConfig: s.NextStep(func() {
					s.As("operator").Patch(story.KeptMap, `{"metadata":{"labels":{"team":"search"}}}`)
					s.As("operator").StripManagedFields(story.KeptMap, "[{}]")
					s.As("platform").Apply(story.ConfigMapIn("kept", "", "labels: {}"))
					at := slices.IndexFunc(s.Live(story.KeptMap).GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool { return e.Manager == "before-first-apply" })
					s.As("operator").JSONPatch(story.KeptMap, fmt.Sprintf(`[{"op": "remove", "path": "/metadata/managedFields/%d"}]`, at))
				}),
				Config: s.Config(story.ConfigMapIn("kept", `data: {a: "2"}`, "labels: {}")),
				ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
					s.As("operator").Patch(story.KeptMap, `{"metadata":{"labels":{"team":null}}}`)
				})),
				Check: s.ExpectLive(story.KeptMap, map[string]any{"data.a": "2"}),
			},
		)
	})
	t.Run("a map that somebody removes is drift", func(t *testing.T) {
		s := story.NewCompared(t)
		s.InstallGadgets()
		body := "\napiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 1, nest: {x: {}}}\n"
		s.Run(
			resource.TestStep{Config: s.Config(body), Check: s.ExpectLiveJSON(s.GadgetTarget(), `{"x":{}}`, "spec", "nest")},
			resource.TestStep{
				PreConfig:        s.NextStep(func() { s.As("kubectl-edit").Patch(s.GadgetTarget(), `{"spec":{"nest":null}}`) }),
				Config:           s.Config(body),
				ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate)),
				Check:            s.ExpectLiveJSON(s.GadgetTarget(), `{"x":{}}`, "spec", "nest"),
			},
		)
	})
}

// kubectl apply writes the data of a Secret into an annotation: annotations: {} shows nothing of it.
func TestEmptyAnnotationsShowNoSecret(t *testing.T) {
	s := story.NewCompared(t)
	body := "\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: NS, annotations: {}}\ndata: {pw: aHVudGVyMg==}\n"
	s.Run(
		resource.TestStep{Config: s.Config(body)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-client-side-apply").Patch("v1 Secret s", `{"metadata":{"annotations":{"`+lastApplied+`":"{\"data\":{\"pw\":\"aHVudGVyMg==\"}}"}}}`)
			}),
			Config:           s.Config(strings.Replace(body, "annotations: {}", "annotations: {}, labels: {a: b}", 1)),
			ConfigPlanChecks: story.PlanChecks(s.ExpectRedacted("aHVudGVyMg==", "hunter2"), plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate)),
		},
	)
}
