package manifestresource_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/client-go/util/jsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
)

// expectJSONPath asserts values of the live object by kubectl's JSONPath, which reaches into lists; a
// path that finds nothing is "".
func (s *story) expectJSONPath(target string, want map[string]string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		live := s.live(target)
		for template, value := range want {
			path := jsonpath.New("").AllowMissingKeys(true)
			if err := path.Parse(template); err != nil {
				return err
			}
			var got strings.Builder
			if err := path.Execute(&got, live.Object); err != nil {
				return err
			}
			if got.String() != value {
				return fmt.Errorf("live %s: %s is %q, want %q", target, template, got.String(), value)
			}
		}
		return nil
	}
}

// liveOwners returns the names of the managers that the server records for a field.
func (s *story) liveOwners(target, field string) ([]string, error) {
	claims, err := ownership.Parse(s.live(target).GetManagedFields())
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, manager := range claims.CoOwners(claims.Formatter())[field] {
		names = append(names, manager.Name)
	}
	slices.Sort(names)
	return names, nil
}

// expectOwners asserts who owns a field on the server.
func (s *story) expectOwners(target, field string, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got, err := s.liveOwners(target, field)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("live %s: %s is owned by %q, want %q", target, field, got, want)
		}
		return nil
	}
}

// expectNoOwner asserts that nobody owns a field on the server.
func (s *story) expectNoOwner(target, field string) resource.TestCheckFunc {
	return s.expectOwners(target, field)
}

// expectRepeated asserts that an apply warned of nothing but of what its plan warned of, with all of texts:
// Terraform plans again while it applies.
func (s *story) expectRepeated(texts ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return s.warnedOnly(texts) }
}

// expectSilence asserts that there was no warning since the last look.
func (s *story) expectSilence() resource.TestCheckFunc {
	return func(*terraform.State) error {
		if warnings, _ := s.provider.take(); len(warnings) > 0 {
			return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
		}
		return nil
	}
}
