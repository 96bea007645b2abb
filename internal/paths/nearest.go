package paths

import (
	"cmp"
	"slices"
	"strings"
)

// maxNearest is how many texts Nearest returns.
const maxNearest = 3

// Nearest returns those among the texts of paths that may have been meant by text, best first: those that differ
// in a few letters, then those that end alike. Case does not count.
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
		switch distance := Distance(asked, lower); {
		case IsSimilar(text, distance):
			found = append(found, candidate{0, distance, other})
		case last != "" && (lower == last || strings.HasSuffix(lower, "."+last)):
			found = append(found, candidate{1, distance, other})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.elsewhere, b.elsewhere), cmp.Compare(a.distance, b.distance), cmp.Compare(a.text, b.text))
	})
	var texts []string
	for _, candidate := range found {
		if len(texts) == maxNearest || candidate.elsewhere != found[0].elsewhere || candidate.elsewhere == 0 && candidate.distance > found[0].distance {
			break
		}
		texts = append(texts, candidate.text)
	}
	return texts
}

// IsSimilar reports whether a name at this distance may have been meant by another.
func IsSimilar(name string, distance int) bool { return distance <= max(1, (len(name)+1)/3) }

// Distance returns how many letters to insert, delete or replace to make b of a (Levenshtein).
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
