package acceptance_test

import (
	"fmt"
	"regexp"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// expectAdded asserts added_fields in the state.
func expectAdded(want ...string) story.StateCheck {
	return func(attributes map[string]any) error {
		all := []any{}
		for _, field := range want {
			all = append(all, field)
		}
		if diff := cmp.Diff(all, attributes[story.AddedFields]); diff != "" {
			return fmt.Errorf("added_fields (-want +got):\n%s", diff)
		}
		return nil
	}
}

// expectNoEntry asserts that managedFields has no entry of a manager.
func expectNoEntry(s *story.Story, target, manager string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, entry := range s.Live(target).GetManagedFields() {
			if entry.Manager == manager {
				return fmt.Errorf("%s: an entry of %q is left: %s", target, manager, entry.FieldsV1)
			}
		}
		return nil
	}
}

var errorf = fmt.Errorf

// isPatchManager reports whether a name is the default field manager of a patch.
func isPatchManager(name string) bool {
	return regexp.MustCompile(`^k8sconnect-patch-[0-9a-f]{8}$`).MatchString(name)
}
