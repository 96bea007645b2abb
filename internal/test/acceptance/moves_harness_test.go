package acceptance_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// terraformManager is the field manager of hashicorp/kubernetes.
const terraformManager = "Terraform"

// run plays steps with the stub beside the provider.
func run(s *story.Story, steps ...resource.TestStep) {
	s.T.Helper()
	factories := s.Provider.Factories(s.UserAgent)
	factories["kubernetes"] = kubernetesstub.New
	play.Steps(s.T, play.Case{Providers: factories, Steps: steps})
}

// source returns a resource of the stub, with lines of HCL.
func source(s *story.Story, name, lines string) string {
	return s.ProviderBlock() + fmt.Sprintf("resource \"kubernetes_%s\" \"test\" {\n%s\n}\n", name, s.Expand(lines))
}

// moved returns the moved block of a resource of the stub.
func moved(name string) string {
	return fmt.Sprintf("moved {\n  from = kubernetes_%s.test\n  to   = k8sconnect_patch.test\n}\n", name)
}

// patch returns a configuration with a patch of target, an HCL object.
func patch(s *story.Story, target, body string, arguments ...string) string {
	return s.ProviderBlock() + s.Expand(fmt.Sprintf("resource \"k8sconnect_patch\" \"test\" {\n  target = %s\n  yaml_body = <<-YAML\n%s\nYAML\n  %s\n}\n",
		target, body, strings.Join(arguments, "\n  ")))
}

var patchManager = regexp.MustCompile(`^k8sconnect-patch-[0-9a-f]{8}$`)

// expectRenamed asserts that the plan is an update that changes the field manager, the owners that were terraformManager, and
// no other attribute.
func expectRenamed() plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		planned, err := story.PlannedOf(req)
		if err != nil {
			return err
		}
		manager, _ := planned.After["field_manager"].(string)
		if !patchManager.MatchString(manager) {
			return fmt.Errorf("the field manager becomes %q", manager)
		}
		before := story.OwnersOf(planned.Before)
		for field, owners := range before {
			names := strings.Fields(strings.ReplaceAll(owners, terraformManager, manager))
			slices.Sort(names)
			before[field] = strings.Join(names, " ")
		}
		if diff := cmp.Diff(before, story.OwnersOf(planned.After)); diff != "" {
			return fmt.Errorf("the owners, renamed (-before +after):\n%s", diff)
		}
		for name, before := range planned.Before {
			after := planned.After[name]
			isOfOwners := name == "field_manager" || name == story.FieldOwnership || name == story.CoOwners
			if !isOfOwners && (story.AsJSON(before) != story.AsJSON(after) || story.IsUnknown(planned.Unknown[name])) {
				return fmt.Errorf("%s: %s -> %s", name, story.AsJSON(before), story.AsJSON(after))
			}
		}
		return nil
	})
}

// expectEntry asserts which managers whose names match have entries in managedFields: one, or none.
func expectEntry(s *story.Story, target string, manager *regexp.Regexp, want int) resource.TestCheckFunc {
	return func(*terraform.State) error {
		found := 0
		for _, entry := range s.Live(target).GetManagedFields() {
			if manager.MatchString(entry.Manager) {
				found++
			}
		}
		if found != want {
			return fmt.Errorf("%s: %d entries of managers like %s, want %d", target, found, manager, want)
		}
		return nil
	}
}

var isTerraform = regexp.MustCompile("^" + terraformManager + "$")

// deleteNode has the story delete the Node that has its name, if there is one.
func deleteNode(s *story.Story) {
	s.T.Cleanup(func() { _ = s.Typed.CoreV1().Nodes().Delete(context.Background(), s.Namespace, metav1.DeleteOptions{}) })
}
