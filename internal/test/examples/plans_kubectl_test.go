package examples_test

import (
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	clientSide = "kubectl-client-side-apply"
	// debug and labels are what the manifest of from-kubectl-apply drops later.
	debug  = "                - name: DEBUG\n                  value: \"1\"\n"
	labels = "      labels:\n        team: orders\n"
)

func planFromKubectl(e *example) {
	shop := deployment("shop")
	e.applyBefore()
	e.awaitRollout(shop)
	e.shows("first-plan", story.Changes)
	e.apply(shop)
	e.plan(story.Nothing)

	e.configure(debug, "", labels, "")
	e.says(e.plan(story.Changes), `- "metadata.labels.team"`, `= "orders" -> null`, `- "spec.template.spec.containers[name=\"app\"].env[name=\"DEBUG\"].value" = "1" -> null`)
	e.apply(shop)
	e.plan(story.Nothing)
	e.lacks(shop, "DEBUG", "orders")

	e.As(clientSide).StrategicPatch(shop, container(`"image":"nginx:1.28"`))
	e.says(e.plan(story.Changes), "the apply takes back a field", `spec.template.spec.containers[name="app"].image: "nginx:1.28" -> "nginx:1.29", owned by "`+clientSide+`"`)
	e.apply(shop)
	e.As("kubectl-annotate").StrategicPatch(shop, `{"metadata":{"annotations":{"`+lastApplied+`":null,"note":"mine"}}}`)
	e.plan(story.Nothing)
}

func planSharingWithKubectl(e *example) {
	basket := deployment("basket")
	pairs := e.rename("basket")
	e.applyBefore()
	pairs = append(pairs, end, with("take_over_managers = []"))
	e.configure(pairs...)
	e.apply(basket)
	e.configure(append(pairs, debug, "")...)
	e.says(e.plan(story.Changes), "Warning: Field Ownership Change: Deployment default/basket (apps/v1)",
		`spec.template.spec.containers[name="app"].env[name="DEBUG"].value: "1", owned by "`+clientSide+`"`,
		`remove_fields = ["spec.template.spec.containers[name=\"app\"].env[name=\"DEBUG\"]"]`)
}

func planBeforeManagedFields(e *example) {
	till := deployment("till")
	pairs := e.rename("till")
	e.applyBefore()
	e.awaitRollout(till)
	e.As(clientSide).StrategicPatch(till, `{"metadata":{"managedFields":[{}]}}`)
	e.says(e.plan(story.Changes), "~ field_ownership = {} -> (known after apply)", `"metadata.labels.team" = "orders"`, "Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.")
	e.apply(till)
	e.configure(append(pairs, debug, "")...)
	e.apply(till)
	e.plan(story.Nothing)
	e.lacks(till, "DEBUG")
}

func planFromHelm(e *example) {
	cart := deployment("cart")
	for _, object := range e.before() {
		e.As("helm").Create(object)
	}
	e.apply(cart)
	e.configure("      replicas: 3\n", "")
	e.apply(cart)
	if replicas := e.Live(cart).Object["spec"].(map[string]any)["replicas"]; replicas != int64(1) {
		e.T.Errorf("replicas are %v, want the default", replicas)
	}
}

// applyBefore makes the objects that the example expects with the first kubectl apply, which creates them.
func (e *example) applyBefore() {
	e.T.Helper()
	for _, object := range e.before() {
		e.As(clientSide).ApplyClientSide(object)
	}
}

// rename gives the Deployment of the example, and the one that was there before, another name. It returns
// the edits.
func (e *example) rename(to string) []string {
	e.T.Helper()
	pairs := []string{"      name: shop\n", "      name: " + to + "\n", `name=shop"`, `name=` + to + `"`}
	e.configure(pairs...)
	before := filepath.Join(e.Dir, "before.yaml")
	write(e.T, before, strings.Replace(pages.Read(e.T, before), "name: shop\n", "name: "+to+"\n", 1))
	return pairs
}

// lacks asserts that nothing of an object contains these strings; what managers and kubectl note does not count.
func (e *example) lacks(target string, texts ...string) {
	e.T.Helper()
	object := e.Live(target)
	object.SetManagedFields(nil)
	object.SetAnnotations(nil)
	live, err := object.MarshalJSON()
	story.Must(e.T, err)
	for _, text := range texts {
		if strings.Contains(string(live), text) {
			e.T.Errorf("%s still has %s", target, text)
		}
	}
}
