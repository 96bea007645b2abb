// Package similar finds the names that a user may have meant by a mistyped one: of kinds, namespaces, fields and paths.
package similar

import (
	"cmp"
	"slices"
	"strings"
)

// Most is how many names a suggestion has at most.
const Most = 3

// Names returns the names that are most similar to asked, as Nearest does.
func Names(asked string, names []string) []string {
	return Nearest(asked, names, func(name string) string { return name })
}

// Nearest returns at most Most candidates with names similar to asked, the most similar first. Equally similar ones
// keep their order. Case does not count.
func Nearest[T any](asked string, candidates []T, nameOf func(T) string) []T {
	type similar struct {
		distance  int
		candidate T
	}
	var found []similar
	for _, candidate := range candidates {
		if distance := Distance(strings.ToLower(asked), strings.ToLower(nameOf(candidate))); IsSimilar(asked,
			distance) {
			found = append(found, similar{distance, candidate})
		}
	}
	slices.SortStableFunc(found, func(a, b similar) int { return cmp.Compare(a.distance, b.distance) })
	var nearest []T
	for _, best := range found[:min(len(found), Most)] {
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
