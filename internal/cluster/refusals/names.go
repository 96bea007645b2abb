package refusals

import (
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// item represents any list item.
const item = "[]"

// NamesOf returns the names in a path, in which "[]" is any list item.
func NamesOf(field paths.Path) []string {
	names := make([]string, len(field))
	for i, element := range field {
		names[i] = item
		if element.FieldName != nil {
			names[i] = *element.FieldName
		}
	}
	return names
}

// NamesIn returns the names in the field of a cause, "spec.containers[0].image".
func NamesIn(field string) []string {
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

// Refuses reports whether an error is about a field, something inside of it, or another member of a union that
// it belongs to. Positions of list items are not compared: they are those of an object that is not shown.
func Refuses(refusal error, field paths.Path) bool {
	var invalid *cluster.InvalidError
	if !errors.As(refusal, &invalid) {
		return false
	}
	names := NamesOf(field)
	return slices.ContainsFunc(invalid.Causes, func(cause metav1.StatusCause) bool {
		about := NamesIn(cause.Field)
		if cause.Type == metav1.CauseTypeForbidden {
			return len(about) == len(names) && slices.Equal(about[:len(about)-1], names[:len(names)-1])
		}
		return len(about) >= len(names) && slices.Equal(about[:len(names)], names)
	})
}
