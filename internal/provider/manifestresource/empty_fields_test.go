package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// An empty map in yaml_body declares nothing of what others put into it: plans stay empty, and a write between a
// plan and its apply breaks nothing.
func TestEmptyMapsOfTheManifest(t *testing.T) {
	t.Run("a controller annotates", func(t *testing.T) {
		s := newStory(t)
		body := strings.Replace(busy("0"), "annotations: {note: ours}", "annotations: {}", 1)
		s.run(
			resource.TestStep{Config: s.config(body), Check: func(*terraform.State) error { s.awaitRevision(); return nil }},
			resource.TestStep{Config: s.config(body), PlanOnly: true},
			resource.TestStep{
				Config: s.config(strings.Replace(body, "replicas: 3", "replicas: 2", 1)),
				ConfigPlanChecks: checks(expectOnly(managedState, "spec.replicas: 3 -> 2"), meanwhile(func() {
					s.as("kubectl-set").strategicPatch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.25","env":[{"name":"A","value":"1"}]}]}}}}`)
					s.as("kubectl-annotate").patch(web, `{"metadata":{"annotations":{"a":"1"}}}`)
				})),
			},
		)
	})
	t.Run("somebody annotates between plan and apply", func(t *testing.T) {
		s := newStory(t)
		s.run(
			resource.TestStep{Config: s.config(configMapIn("kept", `data: {a: "1"}`, "annotations: {}"))},
			resource.TestStep{
				Config: s.config(configMapIn("kept", `data: {a: "2"}`, "annotations: {}")),
				ConfigPlanChecks: checks(expectOnly(managedState, "data.a: 1 -> 2"), meanwhile(func() {
					s.as("kubectl-annotate").patch(keptMap, `{"metadata":{"annotations":{"n":"1"}}}`)
				})),
				Check: s.expectLiveJSON(keptMap, `{"n":"1"}`, "metadata", "annotations"),
			},
		)
	})
	t.Run("a map that somebody removes is drift", func(t *testing.T) {
		s := newStory(t)
		s.installGadgets()
		body := "\napiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 1, nest: {x: {}}}\n"
		s.run(
			resource.TestStep{Config: s.config(body), Check: s.expectLiveJSON(s.gadgetTarget(), `{"x":{}}`, "spec", "nest")},
			resource.TestStep{
				PreConfig:        s.anew(func() { s.as("kubectl-edit").patch(s.gadgetTarget(), `{"spec":{"nest":null}}`) }),
				Config:           s.config(body),
				ConfigPlanChecks: checks(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)),
				Check:            s.expectLiveJSON(s.gadgetTarget(), `{"x":{}}`, "spec", "nest"),
			},
		)
	})
}

// kubectl apply writes the data of a Secret into an annotation: annotations: {} shows nothing of it.
func TestEmptyAnnotationsShowNoSecret(t *testing.T) {
	s := newStory(t)
	body := "\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: NS, annotations: {}}\ndata: {pw: aHVudGVyMg==}\n"
	s.run(
		resource.TestStep{Config: s.config(body)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-client-side-apply").patch("v1 Secret s", `{"metadata":{"annotations":{"`+lastApplied+`":"{\"data\":{\"pw\":\"aHVudGVyMg==\"}}"}}}`)
			}),
			Config:           s.config(strings.Replace(body, "annotations: {}", "annotations: {}, labels: {a: b}", 1)),
			ConfigPlanChecks: checks(s.expectUndisclosed("aHVudGVyMg==", "hunter2"), plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)),
		},
	)
}
