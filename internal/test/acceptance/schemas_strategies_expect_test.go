package acceptance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// expectCells asserts for each strategy who owns what, which values are managed, and the live value, and
// counts what it looked at.
func expectCells(s *story.Story, kind sampleKind, now moment, cells *atomic.Int64) statecheck.StateCheck {
	return story.StateCheck(func(attributes map[string]any) error {
		live := s.Live(kind.target)
		all, err := story.HeldOnServer(live)
		if err != nil {
			return err
		}
		claims := []*paths.Set{story.FieldsOf(all)}
		for _, m := range now.models {
			claims = append(claims, slices.Collect(maps.Values(m.claims))...)
		}
		format := paths.NewFormatter(claims...).Format
		var faults []string
		for _, f := range kind.strategies {
			cells.Add(1)
			m := now.models[f.name]
			root := format(f.root)
			if diff := cmp.Diff(m.sharesOf(format), below(root, story.OwnersOf(attributes))); diff != "" {
				faults = append(faults, fmt.Sprintf("%s: owners (-model +state):\n%s", f.name, diff))
			}
			if diff := cmp.Diff(m.managedState(format), below(root, textsIn(attributes, story.ManagedState))); diff != "" {
				faults = append(faults, fmt.Sprintf("%s: managed_state (-model +state):\n%s", f.name, diff))
			}
			value := f.holder(live.Object)[f.name]
			if want, got := story.AsJSON(m.live), story.AsJSON(m.kept(value)); want != got {
				faults = append(faults, fmt.Sprintf("%s: the live value is %s, want %s", f.name, got, want))
			}
			faults = append(faults, misnamed(attributes, root)...)
		}
		if len(faults) > 0 {
			return fmt.Errorf("%s:\n%s", now.step.name, strings.Join(faults, "\n"))
		}
		return nil
	})
}

// sharesOf returns the owners of each path as one text.
func (m *fieldModel) sharesOf(format func(paths.Path) string) map[string]string {
	shares := map[string]string{}
	for path, names := range m.owners(format) {
		shares[path] = strings.Join(names, " ")
	}
	return shares
}

func textsIn(attributes map[string]any, attribute string) map[string]string {
	texts := map[string]string{}
	entries, _ := attributes[attribute].(map[string]any)
	for path, value := range entries {
		texts[path] = fmt.Sprint(value)
	}
	return texts
}

// below returns the entries for a field and everything in it.
func below(root string, entries map[string]string) map[string]string {
	kept := map[string]string{}
	for path, value := range entries {
		rest, is := strings.CutPrefix(path, root)
		if is && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			kept[path] = value
		}
	}
	return kept
}

// misnamed returns the shared fields for which field_ownership names none of the owners, and the entries of
// co_owners with fewer than two owners.
func misnamed(attributes map[string]any, root string) []string {
	var faults []string
	shown := textsIn(attributes, story.FieldOwnership)
	for path, names := range below(root, story.OwnersOf(attributes)) {
		if !slices.Contains(strings.Fields(names), shown[path]) {
			faults = append(faults, fmt.Sprintf("field_ownership[%s] is %s, want one of %s", path, shown[path], names))
		}
	}
	for path := range below(root, textsIn(attributes, story.CoOwners)) {
		if len(strings.Fields(story.OwnersOf(attributes)[path])) < 2 {
			faults = append(faults, fmt.Sprintf("co_owners[%s] names one owner", path))
		}
	}
	return faults
}
