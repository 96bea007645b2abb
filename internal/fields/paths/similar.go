package paths

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// MostSimilar is how many names a suggestion has at most.
const MostSimilar = 3

// SimilarNames returns the names that a user may have meant by a mistyped one, as Similar does.
func SimilarNames(asked string, names []string) []string {
	return Similar(asked, names, func(name string) string { return name })
}

// Similar returns at most MostSimilar candidates with names similar to asked, the most similar first. Equally similar
// ones keep their order. Case does not count.
func Similar[T any](asked string, candidates []T, nameOf func(T) string) []T {
	type similar struct {
		distance  int
		candidate T
	}
	var found []similar
	for _, candidate := range candidates {
		distance := Distance(strings.ToLower(asked), strings.ToLower(nameOf(candidate)))
		if IsSimilar(asked, distance) {
			found = append(found, similar{distance, candidate})
		}
	}
	slices.SortStableFunc(found, func(a, b similar) int { return cmp.Compare(a.distance, b.distance) })
	var nearest []T
	for _, best := range found[:min(len(found), MostSimilar)] {
		nearest = append(nearest, best.candidate)
	}
	return nearest
}

// IsSimilar reports whether another name at this distance from name counts as similar.
func IsSimilar(name string, distance int) bool { return distance <= max(1, (len(name)+1)/3) }

// Distance returns how many letters to insert, delete or replace to turn a into b (Levenshtein).
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

// selector is a bracket of a path, with what identifies an item or a key.
var selector = regexp.MustCompile(`\[[^\]]*\]`)

func withoutSelectors(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	return selector.ReplaceAllString(path, "")
}

// letters counts the bytes of a string.
type letters [256]int

func lettersOf(text string) *letters {
	var counts letters
	for i := range len(text) {
		counts[text[i]]++
	}
	return &counts
}

// apart returns the smallest [Distance] that two strings with these letters can have.
func (l *letters) apart(other *letters) int {
	more, fewer := 0, 0
	for i, count := range l {
		more, fewer = more+max(count-other[i], 0), fewer+max(other[i]-count, 0)
	}
	return max(more, fewer)
}

// Nearest returns the paths in among that the user may have meant by text, best first: those with the same names and
// other list items, those that differ in a few letters, then those with the same end. Case does not count.
func Nearest(text string, among []string) []string {
	type candidate struct {
		elsewhere, distance int
		text                string
	}
	var found []candidate
	asked := strings.ToLower(text)
	names, counted := withoutSelectors(asked), lettersOf(asked)
	last := asked[strings.LastIndexAny(asked, ".]")+1:]
	for _, other := range among {
		lower := strings.ToLower(other)
		hasNames := withoutSelectors(lower) == names
		hasEnd := last != "" && (lower == last || strings.HasSuffix(lower, "."+last))
		if !hasNames && !hasEnd && !IsSimilar(text, counted.apart(lettersOf(lower))) {
			continue // This costs much less than the distance.
		}
		switch distance := Distance(asked, lower); {
		case hasNames:
			found = append(found, candidate{-1, distance, other})
		case IsSimilar(text, distance):
			found = append(found, candidate{0, distance, other})
		case hasEnd:
			found = append(found, candidate{1, distance, other})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.elsewhere, b.elsewhere), cmp.Compare(a.distance, b.distance),
			cmp.Compare(a.text, b.text))
	})
	var texts []string
	for _, one := range found {
		if len(texts) == MostSimilar || one.elsewhere != found[0].elsewhere ||
			one.elsewhere <= 0 && one.distance > found[0].distance && IsSimilar(text, found[0].distance) {
			break
		}
		texts = append(texts, one.text)
	}
	return texts
}
