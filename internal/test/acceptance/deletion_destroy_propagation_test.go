package acceptance_test

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

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// holding keeps an object from being removed.
const holding = `{"metadata":{"finalizers":["example.com/hold"]}}`

// replicaSets returns those in the story's namespace.
func replicaSets(s *story.Story) []appsv1.ReplicaSet {
	s.T.Helper()
	list, err := s.Typed.AppsV1().ReplicaSets(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
	story.Must(s.T, err)
	return list.Items
}

func countPods(s *story.Story) int {
	s.T.Helper()
	list, err := s.Typed.CoreV1().Pods(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
	story.Must(s.T, err)
	return len(list.Items)
}

// holdPods puts a finalizer on the one ReplicaSet, or takes it away.
func holdPods(s *story.Story, patch string) {
	s.T.Helper()
	sets := replicaSets(s)
	if len(sets) != 1 {
		s.T.Fatalf("%d ReplicaSets", len(sets))
	}
	_, err := s.Typed.AppsV1().ReplicaSets(s.Namespace).
		Patch(s.T.Context(), sets[0].Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "guardian"})
	story.Must(s.T, err)
}

// The garbage collector deletes or orphans the ReplicaSet and the pods of a Deployment, as delete_propagation
// says. A finalizer on the ReplicaSet shows who waits for whom.
func TestDestroyPropagation(t *testing.T) {
	t.Parallel()
	const target = "apps/v1 Deployment web"
	for name, test := range map[string]struct {
		argument string
		// left asserts what a destroy leaves while the ReplicaSet is held.
		left func(*story.Story) error
		// waits is true if the destroy waits for the ReplicaSet.
		waits bool
	}{
		"by default it goes after": {left: expectDependentsLeaving},
		"Background":               {argument: `delete_propagation = "Background"`, left: expectDependentsLeaving},
		"Foreground":               {argument: `delete_propagation = "Foreground"`, waits: true},
		"Orphan":                   {argument: `delete_propagation = "Orphan"`, left: expectOrphans},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			running := func() bool { return len(replicaSets(s)) == 1 && countPods(s) == 3 }
			timeout := ""
			if test.waits {
				timeout = `timeouts { delete = "20s" }`
			}
			created := resource.TestStep{
				Config: s.Config(story.Deployment, test.argument, timeout),
				Check:  story.Eventually("the Deployment has a ReplicaSet and pods", running),
			}
			hold, release := func() { holdPods(s, holding) }, func() { holdPods(s, `{"metadata":{"finalizers":null}}`) }
			if !test.waits {
				s.Run(created, resource.TestStep{PreConfig: hold, Config: s.ProviderBlock(), Check: story.LiveChecks(s.ExpectGone(target),
					func(*terraform.State) error { return test.left(s) })})
				release()
				return
			}
			s.Run(
				created,
				resource.TestStep{
					PreConfig: hold, Config: s.ProviderBlock(),
					ExpectError: story.Saying("Deletion Blocked", s.Expand("Deployment NS/web (apps/v1)"), "foregroundDeletion"),
				},
				resource.TestStep{PreConfig: release, Config: s.ProviderBlock(), Check: story.LiveChecks(s.ExpectGone(target), func(*terraform.State) error {
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
func expectDependentsLeaving(s *story.Story) error {
	return story.Eventually("the ReplicaSet is deleted, and held", func() bool {
		sets := replicaSets(s)
		return len(sets) == 1 && sets[0].DeletionTimestamp != nil
	})(nil)
}

// expectOrphans asserts that the ReplicaSet and the pods stand without the Deployment.
func expectOrphans(s *story.Story) error {
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
	s := story.New(t)
	s.Run(resource.TestStep{
		Config:      s.Config(story.ConfigMap, `delete_propagation = "background"`),
		PlanOnly:    true,
		ExpectError: story.Saying("delete_propagation", `"Background"`, `"Foreground"`, `"Orphan"`),
	})
}

// The settings for a deletion are recorded in the state, and no request changes the object.
func TestDeletionSettingsWriteNothing(t *testing.T) {
	s := story.New(t)
	requests := s.Meter()
	const read = "get configmaps NS/web 200"
	steps := []resource.TestStep{{Config: s.Config(story.ConfigMap)}}
	for _, argument := range []string{
		`delete_propagation = "Orphan"`, `delete_propagation = "Foreground"`, `force_destroy = true`, `delete_protection = true`, ``,
	} {
		name, value, _ := strings.Cut(argument, " = ")
		check := resource.TestCheckNoResourceAttr(story.Address, "delete_protection")
		if name != "" {
			check = resource.TestCheckResourceAttr(story.Address, name, strings.Trim(value, `"`))
		}
		steps = append(steps, resource.TestStep{
			PreConfig: requests.Start,
			Config:    s.Config(story.ConfigMap, argument),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), story.ExpectUnknown(story.Address),
				story.ExpectOnly(story.FieldOwnership), requests.Plans(read)),
			Check: story.LiveChecks(requests.Applies(read), check),
		})
	}
	s.Run(steps...)
}
