package examples_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	clientSide = manager("kubectl-client-side-apply")
	// debug and labels are what the manifest of from-kubectl-apply drops later.
	debug  = "                - name: DEBUG\n                  value: \"1\"\n"
	labels = "      labels:\n        team: orders\n"
)

func planFromKubectl(t *testing.T, cli cli) {
	s := newStory(t, cli, "from-kubectl-apply")
	shop := deployment("shop")
	clientSide.applyFirst(t, read(t, filepath.Join(s.dir, "before.yaml")))
	s.awaitRollout(shop)
	s.shows("first-plan", changes)
	s.apply(shop)
	s.plan(nothing)

	s.configure(debug, "", labels, "")
	s.shows("removing", changes)
	s.apply(shop)
	s.plan(nothing)
	s.lacks(shop, "DEBUG", "orders")

	clientSide.patch(t, shop, container(`"image":"nginx:1.28"`))
	s.shows("kubectl-apply", changes)
	s.apply(shop)
	manager("kubectl-annotate").patch(t, shop, `{"metadata":{"annotations":{"`+lastApplied+`":null,"note":"mine"}}}`)
	s.plan(nothing)
}

func planSharingWithKubectl(t *testing.T, cli cli) {
	s := newStory(t, cli, "from-kubectl-apply")
	basket := deployment("basket")
	pairs := s.rename(basket)
	clientSide.applyFirst(t, read(t, filepath.Join(s.dir, "before.yaml")))
	pairs = append(pairs, end, with("take_over_managers = []"))
	s.configure(pairs...)
	s.apply(basket)
	s.configure(append(pairs, debug, "")...)
	s.shows("sharing-with-kubectl", changes)
}

func planBeforeManagedFields(t *testing.T, cli cli) {
	s := newStory(t, cli, "from-kubectl-apply")
	till := deployment("till")
	pairs := s.rename(till)
	clientSide.applyFirst(t, read(t, filepath.Join(s.dir, "before.yaml")))
	s.awaitRollout(till)
	clientSide.patch(t, till, `{"metadata":{"managedFields":[{}]}}`)
	s.shows("before-managed-fields", changes)
	s.apply(till)
	s.configure(append(pairs, debug, "")...)
	s.apply(till)
	s.plan(nothing)
	s.lacks(till, "DEBUG")
}

func planFromHelm(t *testing.T, cli cli) {
	s := newStory(t, cli, "from-helm")
	cart := deployment("cart")
	manager("helm").create(t, read(t, filepath.Join(s.dir, "before.yaml")))
	s.apply(cart)
	s.configure("      replicas: 3\n", "")
	s.apply(cart)
	if replicas := cart.live(t).Object["spec"].(map[string]any)["replicas"]; replicas != int64(1) {
		t.Errorf("replicas are %v, want the default", replicas)
	}
}

// rename gives the Deployment of the example, and the one that was there before, another name. It returns
// the edits.
func (s story) rename(to target) []string {
	s.Helper()
	pairs := []string{"      name: shop\n", "      name: " + to.name + "\n", `name=shop"`, `name=` + to.name + `"`}
	s.configure(pairs...)
	before := filepath.Join(s.dir, "before.yaml")
	write(s.T, before, strings.Replace(read(s.T, before), "name: shop\n", "name: "+to.name+"\n", 1))
	return pairs
}

// lacks says that nothing of an object holds these texts; what managers and kubectl note does not count.
func (s story) lacks(target target, texts ...string) {
	s.Helper()
	object := target.live(s.T)
	object.SetManagedFields(nil)
	object.SetAnnotations(nil)
	live, err := object.MarshalJSON()
	must(s.T, err)
	for _, text := range texts {
		if strings.Contains(string(live), text) {
			s.Errorf("%s still has %s", target.name, text)
		}
	}
}
