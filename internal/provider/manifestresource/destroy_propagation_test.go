package manifestresource_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// holding keeps an object from being removed.
const holding = `{"metadata":{"finalizers":["example.com/hold"]}}`

// replicaSets returns those in the story's namespace.
func replicaSets(s *story) []appsv1.ReplicaSet {
	s.t.Helper()
	list, err := s.typed.AppsV1().ReplicaSets(s.namespace).List(s.t.Context(), metav1.ListOptions{})
	must(s.t, err)
	return list.Items
}

func countPods(s *story) int {
	s.t.Helper()
	list, err := s.typed.CoreV1().Pods(s.namespace).List(s.t.Context(), metav1.ListOptions{})
	must(s.t, err)
	return len(list.Items)
}

// holdPods puts a finalizer on the one ReplicaSet, or takes it away.
func holdPods(s *story, patch string) {
	s.t.Helper()
	sets := replicaSets(s)
	if len(sets) != 1 {
		s.t.Fatalf("%d ReplicaSets", len(sets))
	}
	_, err := s.typed.AppsV1().ReplicaSets(s.namespace).
		Patch(s.t.Context(), sets[0].Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "guardian"})
	must(s.t, err)
}

// What becomes of a Deployment's ReplicaSet and pods is the garbage collector's to do, and delete_propagation
// tells it. A finalizer on the ReplicaSet shows who waits for whom.
func TestDestroyPropagation(t *testing.T) {
	const target = "apps/v1 Deployment web"
	for name, test := range map[string]struct {
		argument string
		// left asserts what a destroy leaves while the ReplicaSet is held.
		left func(*story) error
		// waits says that the destroy waits for the ReplicaSet.
		waits bool
	}{
		"by default it goes after": {left: expectDependentsLeaving},
		"Background":               {argument: `delete_propagation = "Background"`, left: expectDependentsLeaving},
		"Foreground":               {argument: `delete_propagation = "Foreground"`, waits: true},
		"Orphan":                   {argument: `delete_propagation = "Orphan"`, left: expectOrphans},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			running := func() bool { return len(replicaSets(s)) == 1 && countPods(s) == 3 }
			created := resource.TestStep{
				Config: s.config(deployment, test.argument, `timeouts { delete = "4s" }`),
				Check:  eventually("the Deployment has a ReplicaSet and pods", running),
			}
			hold, release := func() { holdPods(s, holding) }, func() { holdPods(s, `{"metadata":{"finalizers":null}}`) }
			if !test.waits {
				s.run(created, resource.TestStep{PreConfig: hold, Config: s.providerBlock(), Check: lives(s.expectGone(target),
					func(*terraform.State) error { return test.left(s) })})
				release()
				return
			}
			s.run(
				created,
				resource.TestStep{
					PreConfig: hold, Config: s.providerBlock(),
					ExpectError: saying("Deletion Held Back", s.expand("Deployment NS/web (apps/v1)"), "foregroundDeletion"),
				},
				resource.TestStep{PreConfig: release, Config: s.providerBlock(), Check: lives(s.expectGone(target), func(*terraform.State) error {
					if sets := replicaSets(s); len(sets) > 0 {
						return fmt.Errorf("the ReplicaSet outlived the destroy: %v", sets[0].ObjectMeta)
					}
					return nil
				})},
			)
		})
	}
}

// expectDependentsLeaving asserts that the ReplicaSet was deleted and is still there.
func expectDependentsLeaving(s *story) error {
	return eventually("the ReplicaSet is deleted, and held", func() bool {
		sets := replicaSets(s)
		return len(sets) == 1 && sets[0].DeletionTimestamp != nil
	})(nil)
}

// expectOrphans asserts that the ReplicaSet and the pods stand without the Deployment.
func expectOrphans(s *story) error {
	sets := replicaSets(s)
	if len(sets) != 1 || sets[0].DeletionTimestamp != nil || len(sets[0].OwnerReferences) > 0 {
		return fmt.Errorf("the ReplicaSet was not orphaned: %v", sets)
	}
	if countPods(s) != 3 {
		return errors.New("pods are missing")
	}
	return nil
}

func TestDeletePropagationIsChecked(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		Config:      s.config(configMap, `delete_propagation = "background"`),
		PlanOnly:    true,
		ExpectError: saying("delete_propagation", `"Background"`, `"Foreground"`, `"Orphan"`),
	})
}

// How an object is to be deleted is recorded in the state, and the object hears nothing of it.
func TestDeletionSettingsWriteNothing(t *testing.T) {
	s := newStory(t)
	requests := s.meter()
	const read = "get configmaps NS/web 200"
	steps := []resource.TestStep{{Config: s.config(configMap)}}
	for _, argument := range []string{
		`delete_propagation = "Orphan"`, `delete_propagation = "Foreground"`, `force_destroy = true`, `delete_protection = true`, ``,
	} {
		name, value, _ := strings.Cut(argument, " = ")
		check := resource.TestCheckNoResourceAttr(address, "delete_protection")
		if name != "" {
			check = resource.TestCheckResourceAttr(address, name, strings.Trim(value, `"`))
		}
		steps = append(steps, resource.TestStep{
			PreConfig: requests.start,
			Config:    s.config(configMap, argument),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate), expectUnknown(address),
				expectOnly(fieldOwnership), requests.plans(read)),
			Check: lives(requests.applies(read), check),
		})
	}
	s.run(steps...)
}
