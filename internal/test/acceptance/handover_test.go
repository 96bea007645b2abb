package acceptance_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	flux     = "kustomize-controller"
	handOver = `on_destroy = "hand_over"`
	toFlux   = `successor = "` + flux + `"`
)

// settings is a ConfigMap with labels and data.
func settings(label, data string) string {
	return story.ConfigMapIn("settings", "data: "+data, "labels: {"+label+"}")
}

// applyChangesNothing asserts that an apply of a manager, without force, is no conflict and no write.
func applyChangesNothing(s *story.Story, manager, body string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		object := s.Parse(body)
		client := s.ResourceOf(object)
		before, err := client.Get(context.Background(), object.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		after, err := client.Apply(context.Background(), object.GetName(), object, metav1.ApplyOptions{FieldManager: manager})
		if err != nil {
			return err
		}
		if was, is := before.GetResourceVersion(), after.GetResourceVersion(); was != is || before.GetGeneration() != after.GetGeneration() {
			return fmt.Errorf("the apply of %q made version %s of %s, generation %d of %d:\n%s\nwas\n%s", manager, is, was,
				after.GetGeneration(), before.GetGeneration(), entries(after.GetManagedFields()), entries(before.GetManagedFields()))
		}
		return nil
	}
}

// entries prints managedFields without times.
func entries(all []metav1.ManagedFieldsEntry) string {
	var lines []string
	for _, entry := range all {
		lines = append(lines, fmt.Sprintf("%s %s %q %s", entry.Operation, entry.Manager, entry.Subresource, entry.FieldsV1))
	}
	return strings.Join(lines, "\n")
}

// drops applies a manifest and asserts that a field is gone.
func drops(s *story.Story, manager, body, target string, gone string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		s.As(manager).Apply(body)
		return s.ExpectLive(target, map[string]any{gone: story.Absent})(state)
	}
}
