package paths

import (
	"cmp"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/similar"
)

// Nearest returns the paths in among that the user may have meant by text, best first: those that differ in a few
// letters, then those with the same end. Case does not count.
func Nearest(text string, among []string) []string {
	type candidate struct {
		elsewhere, distance int
		text                string
	}
	var found []candidate
	asked := strings.ToLower(text)
	last := asked[strings.LastIndexAny(asked, ".]")+1:]
	for _, other := range among {
		lower := strings.ToLower(other)
		switch distance := similar.Distance(asked, lower); {
		case similar.IsSimilar(text, distance):
			found = append(found, candidate{0, distance, other})
		case last != "" && (lower == last || strings.HasSuffix(lower, "."+last)):
			found = append(found, candidate{1, distance, other})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.elsewhere, b.elsewhere), cmp.Compare(a.distance, b.distance),
			cmp.Compare(a.text, b.text))
	})
	var texts []string
	for _, one := range found {
		if len(texts) == similar.Most || one.elsewhere != found[0].elsewhere ||
			one.elsewhere == 0 && one.distance > found[0].distance {
			break
		}
		texts = append(texts, one.text)
	}
	return texts
}
