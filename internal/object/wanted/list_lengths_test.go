package wanted

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// TestCount counts a set of which we own red, and painter blue and green.
func TestCount(t *testing.T) {
	t.Parallel()
	const red, blue, green = `v:"red"`, `v:"blue"`, `v:"green"`
	seen := record.Lists{"spec.colours": {{Path: "f:spec/f:colours", Entries: []string{red, blue, green}, Length: 3}}}
	tests := map[string]struct {
		limit arguments.ListLength
		own   string
		seen  record.Lists
		want  string
	}{
		"within":                {arguments.ListLength{Min: 3, Max: 3}, `{"v:\"red\"":{}}`, seen, "3 excess 0 lacks 0 others [blue green]"},
		"too many":              {arguments.ListLength{Max: 1}, `{"v:\"red\"":{}}`, seen, "3 excess 2 lacks 0 others [blue green]"},
		"0 is no limit":         {arguments.ListLength{}, `{"v:\"red\"":{}}`, seen, "3 excess 0 lacks 0 others [blue green]"},
		"too few":               {arguments.ListLength{Min: 5}, `{"v:\"red\"":{}}`, seen, "3 excess 0 lacks 2 others [blue green]"},
		"one is added":          {arguments.ListLength{Min: 4}, `{"v:\"red\"":{},"v:\"white\"":{}}`, seen, "4 excess 0 lacks 0 others [blue green]"},
		"ours leaves":           {arguments.ListLength{Min: 3}, `{}`, seen, "2 excess 0 lacks 1 others [blue green]"},
		"theirs is shared":      {arguments.ListLength{Max: 2}, `{"v:\"red\"":{},"v:\"blue\"":{}}`, seen, "3 excess 1 lacks 0 others [green]"},
		"counted by its claims": {arguments.ListLength{Max: 2}, `{"v:\"red\"":{}}`, nil, "3 excess 1 lacks 0 others [blue green]"},
	}
	claims := clustertest.Claims(t, append(clustertest.Owning(`{"f:spec":{"f:colours":{"v:\"red\"":{}}}}`),
		clustertest.Updating("painter", `{"f:spec":{"f:colours":{"v:\"blue\"":{},"v:\"green\"":{}}}}`)))
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.limit.Pattern = clustertest.Patterns(t, "spec.colours")[0]
			intent := Wanted{Arguments: arguments.Arguments{FieldManager: "k8sconnect", Lengths: []arguments.ListLength{tt.limit}}}
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
	others := []string{}
	for _, entry := range list.Undeclared {
		others = append(others, strings.Trim(strings.TrimPrefix(entry.Field, "spec.colours"), `[="]`))
	}
	return fmt.Sprint(list.Length, " excess ", list.Excess(), " lacks ", list.Lacks(), " others ", others)
}

// An unowned entry has no name of its own, so it is not counted twice if we are about to own it.
func TestCountOfAnUnownedEntry(t *testing.T) {
	t.Parallel()
	limit := arguments.ListLength{Pattern: clustertest.Patterns(t, "spec.colours")[0], Max: 1}
	prior := record.Prior{Snapshot: record.Snapshot{Lists: record.Lists{"spec.colours": {{Path: "f:spec/f:colours", Entries: []string{"i:0", "i:1"}, Length: 2}}}}}
	red := clustertest.Fields(t, `{"f:spec":{"f:colours":{"v:\"red\"":{}}}}`)
	w := Wanted{Arguments: arguments.Arguments{FieldManager: "k8sconnect", Lengths: []arguments.ListLength{limit}}, Prior: prior}
	if diff := cmp.Diff("2 excess 1 lacks 0 others [0 1]", summary(w.Count(ownership.Claims{}, red)[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
