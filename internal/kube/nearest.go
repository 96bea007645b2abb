package kube

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// maxNearest is how many kinds an error about an unserved kind names.
const maxNearest = 3

// likeness orders the kinds that look like the one asked for: the smaller, the more alike.
type likeness struct {
	distance int
	// elsewhere is 0 in the same group and version, 1 in the same group, 2 in another group.
	elsewhere int
	text      string
}

// nearest are the served kinds that look most like asked, "apps/v1 Deployment", best first: the same kind
// in another version or group, then kinds that differ by a few letters. Case does not count.
func nearest(asked schema.GroupVersionKind, served []schema.GroupVersionKind) []string {
	var found []likeness
	for _, kind := range served {
		distance := editDistance(strings.ToLower(asked.Kind), strings.ToLower(kind.Kind))
		if !isSimilar(asked.Kind, distance) {
			continue
		}
		elsewhere := 2
		switch {
		case kind.GroupVersion() == asked.GroupVersion():
			elsewhere = 0
		case kind.Group == asked.Group:
			elsewhere = 1
		}
		found = append(found, likeness{distance, elsewhere, kind.GroupVersion().String() + " " + kind.Kind})
	}
	slices.SortFunc(found, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.elsewhere, b.elsewhere), cmp.Compare(a.text, b.text))
	})
	var names []string
	for _, kind := range found[:min(len(found), maxNearest)] {
		names = append(names, kind.text)
	}
	return names
}

// isSimilar says whether a name at this distance may have been meant by another.
func isSimilar(name string, distance int) bool { return distance <= max(1, (len(name)+1)/3) }

// editDistance is how many letters to insert, delete or replace to make b of a (Levenshtein).
func editDistance(a, b string) int {
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
