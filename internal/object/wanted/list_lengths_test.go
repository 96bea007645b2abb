package wanted

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// TestCount counts a set of which we own red, and painter blue and green; green was seen last.
func TestCount(t *testing.T) {
	t.Parallel()
	const red, blue, green = `v:"red"`, `v:"blue"`, `v:"green"`
	seen := record.Lists{"spec.colours": {{Path: "f:spec/f:colours", Entries: []string{red, blue, green}, Length: 3}}}
	tests := map[string]struct {
		limit  arguments.ListLength
		ignore []string
		own    string
		seen   record.Lists
		want   string
	}{
		"within":                {arguments.ListLength{Min: 3, Max: 3}, nil, `{"v:\"red\"":{}}`, seen, "3 excess 0 lacks 0 others [blue green] removed []"},
		"too many":              {arguments.ListLength{Max: 1}, nil, `{"v:\"red\"":{}}`, seen, "3 excess 2 lacks 0 others [blue green] removed []"},
		"one is removed":        {arguments.ListLength{Max: 2, Enforce: true}, nil, `{"v:\"red\"":{}}`, seen, "3 excess 1 lacks 0 others [blue green] removed [green]"},
		"two are removed":       {arguments.ListLength{Max: 1, Enforce: true}, nil, `{"v:\"red\"":{}}`, seen, "3 excess 2 lacks 0 others [blue green] removed [green blue]"},
		"the newest is kept":    {arguments.ListLength{Max: 2, Enforce: true}, []string{`spec.colours[="green"]`}, `{"v:\"red\"":{}}`, seen, "3 excess 1 lacks 0 others [blue green] removed [blue]"},
		"0 is no limit":         {arguments.ListLength{Enforce: true}, nil, `{"v:\"red\"":{}}`, seen, "3 excess 0 lacks 0 others [blue green] removed []"},
		"too few":               {arguments.ListLength{Min: 5}, nil, `{"v:\"red\"":{}}`, seen, "3 excess 0 lacks 2 others [blue green] removed []"},
		"one is added":          {arguments.ListLength{Min: 4}, nil, `{"v:\"red\"":{},"v:\"white\"":{}}`, seen, "4 excess 0 lacks 0 others [blue green] removed []"},
		"ours leaves":           {arguments.ListLength{Min: 3}, nil, `{}`, seen, "2 excess 0 lacks 1 others [blue green] removed []"},
		"theirs is shared":      {arguments.ListLength{Max: 2}, nil, `{"v:\"red\"":{},"v:\"blue\"":{}}`, seen, "3 excess 1 lacks 0 others [green] removed []"},
		"counted by its claims": {arguments.ListLength{Max: 2, Enforce: true}, nil, `{"v:\"red\"":{}}`, nil, "3 excess 1 lacks 0 others [blue green] removed [green]"},
	}
	claims := clustertest.Claims(t, append(clustertest.Owning(`{"f:spec":{"f:colours":{"v:\"red\"":{}}}}`),
		clustertest.Updating("painter", `{"f:spec":{"f:colours":{"v:\"blue\"":{},"v:\"green\"":{}}}}`)))
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.limit.Pattern = clustertest.Patterns(t, "spec.colours")[0]
			intent := Wanted{Arguments: arguments.Arguments{FieldManager: "k8sconnect", Ignore: clustertest.Patterns(t, tt.ignore...), Lengths: []arguments.ListLength{tt.limit}}}
			prior := record.Prior{Snapshot: record.Snapshot{Lists: tt.seen}}
			lists := Wanted{Arguments: intent.Arguments, Prior: prior}.Count(claims, clustertest.Fields(t, `{"f:spec":{"f:colours":`+tt.own+`}}`))
			if len(lists) != 1 || lists[0].Field != "spec.colours" {
				t.Fatalf("%v", lists)
			}
			if diff := cmp.Diff(tt.want, summary(lists[0])); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func summary(list CountedList) string {
	member := func(path paths.Path) string {
		value, _ := paths.ElementValue(path[len(path)-1])
		return fmt.Sprint(value)
	}
	others, removed := []string{}, []string{}
	for _, entry := range list.Undeclared {
		others = append(others, member(entry.path))
	}
	for _, path := range list.Removed {
		removed = append(removed, member(path))
	}
	return fmt.Sprint(list.Length, " excess ", list.Excess(), " lacks ", list.Lacks(), " others ", others, " removed ", removed)
}

// An entry that an ignored manager owns stays. An unowned entry has no name of its own, so it stays, too, and is not counted
// twice if we are about to own it.
func TestCountWhatCannotBeRemoved(t *testing.T) {
	t.Parallel()
	limit := arguments.ListLength{Pattern: clustertest.Patterns(t, "spec.colours")[0], Max: 1, Enforce: true}
	painted := clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("painter", `{"f:spec":{"f:colours":{"v:\"blue\"":{},"v:\"green\"":{}}}}`)})
	unowned := record.Prior{Snapshot: record.Snapshot{Lists: record.Lists{"spec.colours": {{Path: "f:spec/f:colours", Entries: []string{"i:0", "i:1"}, Length: 2}}}}}
	red := clustertest.Fields(t, `{"f:spec":{"f:colours":{"v:\"red\"":{}}}}`)
	for name, tt := range map[string]struct {
		intent Wanted
		prior  record.Prior
		claims ownership.Claims
		own    *paths.Set
		want   string
	}{
		"an ignored manager": {Wanted{Arguments: arguments.Arguments{IgnoreManagers: []string{"paint*"}}}, record.Prior{}, painted, paths.NewSet(), "2 excess 1 lacks 0 others [blue green] removed []"},
		"nobody":             {Wanted{}, unowned, ownership.Claims{}, red, "2 excess 1 lacks 0 others [<nil> <nil>] removed []"},
	} {
		tt.intent.FieldManager, tt.intent.Lengths = "k8sconnect", []arguments.ListLength{limit}
		if diff := cmp.Diff(tt.want, summary(Wanted{Arguments: tt.intent.Arguments, Prior: tt.prior}.Count(tt.claims, tt.own)[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A list that the object does not have counts as empty if the pattern names one list, and is left out if it may name several.
func TestCountOfNothing(t *testing.T) {
	t.Parallel()
	claims := clustertest.Claims(t, []metav1.ManagedFieldsEntry{})
	for text, want := range map[string]int{"spec.ports": 1, "spec.containers[*].ports": 0} {
		intent := Wanted{Arguments: arguments.Arguments{FieldManager: "k8sconnect", Lengths: []arguments.ListLength{{Pattern: clustertest.Patterns(t, text)[0], Min: 1}}}}
		lists := intent.Count(claims, paths.NewSet())
		if len(lists) != want || want == 1 && lists[0].Lacks() != 1 {
			t.Errorf("%s: %v", text, lists)
		}
	}
}
