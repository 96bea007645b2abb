// Package refusals reads the words of a refusal by the API server's validation. It is pure.
//
//	if refusals.Immutable(err) != nil { ... }          // a change of an immutable field
//	if refusals.Refuses(err, field) { ... }            // about a field, or a part of it
//	if refusals.Passing(message, namespace) != nil { ... } // what may pass without a change
//	message = refusals.Quoted(event)                   // without the words of a controller
//	if refusals.MissingRight(message) != nil { ... } // what no role of the user grants
//	for _, field := range refusals.Emptied(err, own)   // maps that the apply would make null
//	err := refusals.CutNumbers(id, body, result, own) // what the server would cut and does not refuse
//
// # Immutability
//
// Kubernetes has no status reason for an immutable field. [Immutable] looks for words of validation and of the rules of
// CustomResourceDefinitions, and only counts 422 answers in which every cause contains them. Anything else
// stays an error. The parts that a refusal lists after "other than" or "except" are the ones that may change.
package refusals

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
	invalid, is := errors.AsType[*cluster.InvalidError](refusal)
	if !is {
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

// Emptied returns the maps and lists of own that an apply would make null according to err; nil if err names any other
// fault. Server-side apply removes the last part of a map or list and leaves null if another manager, or the body
// itself, owns the map: Kubernetes 1.36 refuses null there for custom resources. The server writes a path without
// quotes and with positions, so several fields may have the same path.
func Emptied(err error, own *paths.Set) []paths.Path {
	invalid, is := errors.AsType[*cluster.InvalidError](err)
	if !is {
		return nil
	}
	var fields []paths.Path
	for _, cause := range invalid.Causes {
		isNull := strings.HasSuffix(cause.Message, `must be of type object: "null"`) ||
			strings.HasSuffix(cause.Message, `must be of type array: "null"`)
		if !isNull {
			return nil
		}
		about := strings.Join(NamesIn(cause.Field), ".")
		before := len(fields)
		paths.Walk(inner(own), func(path paths.Path, _ bool) {
			if strings.Join(NamesOf(path), ".") == about {
				fields = append(fields, path)
			}
		})
		if len(fields) == before {
			return nil
		}
	}
	return fields
}

// inner returns the maps and lists that contain members of fields.
func inner(fields *paths.Set) *paths.Set {
	parents := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		for length := len(path) - 1; length > 0; length-- {
			if parents.Has(path[:length]) {
				return
			}
			parents.Insert(path[:length].Copy())
		}
	})
	return parents
}

// CutNumbers returns the refusal that the server leaves out: of whole numbers that it cuts to the size of their field:
// Kubernetes 1.36 stores replicas: 4294967296 as replicas: 0.
func CutNumbers(id manifest.Identity, body, result map[string]any, applied *paths.Set) error {
	var cut error
	formatter := paths.NewFormatter(applied)
	wanted, made := projection.NewReader(body), projection.NewReader(result)
	paths.Walk(applied.Leaves(), func(path paths.Path, _ bool) {
		written, _ := wanted.Lookup(path)
		stored, _ := made.Lookup(path)
		if cut != nil || !isCut(written, stored) {
			return
		}
		field := formatter.Format(path)
		message := fmt.Sprintf("%s: the number %v is too large; the API server would store %v", field, written, stored)
		cut = &cluster.Error{
			Reason: cluster.ReasonInvalid, Object: id, Message: message,
			Details: &cluster.InvalidError{
				Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}},
			},
		}
	})
	return cut
}

func isCut(written, stored any) bool {
	now, isWhole := stored.(int64)
	if !isWhole {
		return false
	}
	switch written := written.(type) {
	case int64:
		//nolint:gosec // the cut is what is looked for
		return written != now && (written > math.MaxInt32 || written < math.MinInt32) && int64(int32(written)) == now
	case float64:
		return math.Abs(written) >= math.MaxInt64
	default:
		return false
	}
}
