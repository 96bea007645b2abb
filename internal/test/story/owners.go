package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// LiveOwners returns the names of the managers that the server records for a field.
func (s *Story) LiveOwners(target, field string) ([]string, error) {
	claims, err := ownership.Parse(s.Live(target).GetManagedFields())
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

// ExpectOwners asserts the owners of a field on the server.
func (s *Story) ExpectOwners(target, field string, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got, err := s.LiveOwners(target, field)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("live %s: %s is owned by %q, want %q", target, field, got, want)
		}
		return nil
	}
}

// ExpectNoOwner asserts that no manager owns a field on the server.
func (s *Story) ExpectNoOwner(target, field string) resource.TestCheckFunc {
	return s.ExpectOwners(target, field)
}

// ExpectManagers asserts which entries managedFields of the live object has, without those of status, sorted: "Apply
// kustomize-controller" for instance.
func (s *Story) ExpectManagers(target string, want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got := []string{}
		for _, entry := range s.Live(target).GetManagedFields() {
			if entry.Subresource == "" {
				got = append(got, string(entry.Operation)+" "+entry.Manager)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			return fmt.Errorf("%s has the managers %q, want %q", target, got, want)
		}
		return nil
	}
}

// OwnersOf returns the owners of each field in the attributes of a resource, as one sorted string.
func OwnersOf(attributes map[string]any) map[string]string {
	owners := map[string]string{}
	single, _ := attributes["field_ownership"].(map[string]any)
	for field, name := range single {
		owners[field] = fmt.Sprint(name)
	}
	several, _ := attributes["co_owners"].(map[string]any)
	for field, names := range several {
		list, _ := names.([]any)
		texts := make([]string, len(list))
		for i, name := range list {
			texts[i] = fmt.Sprint(name)
		}
		owners[field] = strings.Join(texts, " ")
	}
	return owners
}

// namesOf returns the names of managers as one sorted string.
func namesOf(managers []ownership.Manager) string {
	all := make([]string, len(managers))
	for i, m := range managers {
		all[i] = m.Name
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}
