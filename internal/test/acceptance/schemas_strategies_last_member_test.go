package acceptance_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// lastMembers returns the strategies that have owners for each part, with one part only: nothing is shared once
// we give it another value, and nothing is left in the field when it goes.
func lastMembers() []strategy {
	var all []strategy
	for _, s := range specStrategies() {
		if s.shape.kind == shapeWhole {
			continue
		}
		s.first, s.second = firstPart(s.first), firstPart(s.second)
		all = append(all, s)
	}
	return all
}

// firstPart returns a value with the first of its parts.
func firstPart(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range []string{"a", "deep", "left"} {
			if part, has := value[name]; has {
				return object{name: part}
			}
		}
		return value
	case []any:
		return value[:1]
	default:
		return value
	}
}

// The last part of a map or list leaves the manifest while a manager owns the map or list itself: creators by update
// do, who own every level, and so do we with a map that the manifest gives as empty. The part goes, and the empty map
// or list stays with its owner.
func TestLastMember(t *testing.T) {
	t.Parallel()
	var cells atomic.Int64
	t.Cleanup(func() { t.Logf("%d cells", cells.Load()) })
	all := creators()
	for _, name := range []string{"us alone", "another applier", "update by PUT", "client-side apply"} {
		t.Run(name, func(t *testing.T) {
			kind, c := samples(), all[name]
			kind.strategies = lastMembers()
			created := strategySteps(c)[0]
			playStrategies(story.New(t), kind, c, []strategyStep{
				created,
				{name: "taken with another value", ours: second},
				{name: "removed from the body", ours: leftOut},
				{name: "filled again", ours: second},
				{name: "emptied", ours: empty},
			}, &cells)
		})
	}
}

// A map is emptied by a plan that releases another field, which the server cannot dry-run under our name:
// the plan shows the map as the apply leaves it.
func TestEmptiedBesideARelease(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	full := strings.Replace(story.ConfigMap, "namespace: NS", "namespace: NS, labels: {team: shop}, annotations: {note: ours}", 1)
	bare := strings.Replace(full, "annotations: {note: ours}", "annotations: {}", 1)
	s.Run(
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(full),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("console").Patch(target, `{"metadata":{"annotations":{"other":"theirs"}}}`) }),
			Config:    s.Config(bare, `ignore_fields = ["metadata.labels.team"]`),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectForeseen(),
				story.ExpectValue("metadata.annotations", story.Absent, story.Absent),
				story.ExpectValue("metadata.annotations.note", "ours", story.Absent),
				story.ExpectOwner("metadata.annotations", story.Absent, story.Us),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.ManagedState, "metadata.annotations: "+story.Absent),
				s.ExpectServersOwners(target),
			),
			Check: s.ExpectLiveJSON(target, `{"other":"theirs"}`, "metadata", "annotations"),
		},
	)
}
