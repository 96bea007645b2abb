package ssa

import (
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// whenPruneRefused returns beforeApply for the case that the server refuses what would remain of a field that leaves the
// body: managers to take over then lose all of the outermost map or list that leaves with it. For example, kubectl owns a
// probe itself, the fields that it set in the probe, and the server's defaults in it. Fields that refusal does not name
// keep the parts that kubectl set.
func (i Intent) whenPruneRefused(claims ownership.Claims, previousManager string, refusal error) ownership.Rewrite {
	rewrite := i.beforeApply(claims, previousManager)
	rewrite.Removed = paths.NewSet()
	body := projection.NewReader(i.Manifest.Object)
	paths.Walk(rewrite.Declared, func(path paths.Path, _ bool) {
		for length := 1; length <= len(path); length++ {
			if _, presence := body.Lookup(path[:length]); presence == projection.Present {
				continue
			}
			if refuses(refusal, path[:length]) {
				rewrite.Removed.Insert(path[:length].Copy())
			}
			return
		}
	})
	return rewrite
}

// refuses reports whether an error is about a field, something inside of it, or another member of a union that
// it belongs to. Positions of list items are not compared: they are those of an object that nobody sees.
func refuses(refusal error, field paths.Path) bool {
	var invalid *cluster.InvalidError
	if !errors.As(refusal, &invalid) {
		return false
	}
	names := namesOf(field)
	return slices.ContainsFunc(invalid.Causes, func(cause metav1.StatusCause) bool {
		about := namesIn(cause.Field)
		if cause.Type == metav1.CauseTypeForbidden {
			return len(about) == len(names) && slices.Equal(about[:len(about)-1], names[:len(names)-1])
		}
		return len(about) >= len(names) && slices.Equal(about[:len(names)], names)
	})
}

// item represents any list item.
const item = "[]"

func namesOf(field paths.Path) []string {
	names := make([]string, len(field))
	for i, element := range field {
		names[i] = item
		if element.FieldName != nil {
			names[i] = *element.FieldName
		}
	}
	return names
}

// namesIn returns the names in the field of a cause, "spec.containers[0].image".
func namesIn(field string) []string {
	var names []string
	for part := range strings.SplitSeq(field, ".") {
		name, _, isItem := strings.Cut(part, "[")
		names = append(names, name)
		if isItem {
			names = append(names, item)
		}
	}
	return names
}
