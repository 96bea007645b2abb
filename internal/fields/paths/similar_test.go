package paths

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSimilarNames(t *testing.T) {
	t.Parallel()
	existing := []string{"default", "kube-system", "shop-prod", "shop-test", "team-a", "team-b", "team-c", "team-d"}
	for name, tt := range map[string]struct {
		asked string
		want  []string
	}{
		"a typo":                       {"dfault", []string{"default"}},
		"case does not count":          {"DEFAULT", []string{"default"}},
		"another suffix":               {"shop-pro", []string{"shop-prod"}},
		"the best comes first":         {"shop-pest", []string{"shop-test", "shop-prod"}},
		"equal ones keep their order":  {"team-", []string{"team-a", "team-b", "team-c"}},
		"a name differs in one letter": {"kube-systen", []string{"kube-system"}},
		"nothing is similar":           {"monitoring", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, SimilarNames(tt.asked, existing)); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		a, b string
		want int
		// letters is how far the letters are apart: never more.
		letters int
	}{
		"equal":         {"pods", "pods", 0, 0},
		"a letter":      {"pod", "pot", 1, 1},
		"one more":      {"pod", "pods", 1, 1},
		"all letters":   {"abc", "xyz", 3, 3},
		"nothing":       {"", "abc", 3, 3},
		"another order": {"abc", "cab", 2, 0},
		"one goes":      {"pods", "sop", 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Distance(tt.a, tt.b); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
			if apart := lettersOf(tt.a).apart(lettersOf(tt.b)); apart != tt.letters {
				t.Errorf("the letters are %d apart, want %d", apart, tt.letters)
			}
		})
	}
}
