package refusals

import (
	"errors"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// ImmutableFields returns the fields whose change the server refused by err. If err names a field with parts, such
// as the spec of a StatefulSet, these are the declared parts that differ from the object, or the field itself if none differs.
func ImmutableFields(a prediction.Attempt, err error) []string {
	var refusal *cluster.InvalidError
	if !errors.As(err, &refusal) {
		return nil
	}
	changed := a.ChangedFields()
	names := a.Intent.Renderer(a.Prior.Object, a.Prior.Snapshot).Names(paths.NewFormatter(a.Claims.Fields()))
	var fields []string
	for _, cause := range refusal.Causes {
		below := changedBelow(cause, changed)
		for _, path := range below {
			fields = append(fields, names.Format(path))
		}
		if len(below) == 0 {
			fields = append(fields, cause.Field)
		}
	}
	cluster.SortUnique(&fields)
	return fields
}

// exceptions matches the server's list of the parts of a field that may change.
var exceptions = regexp.MustCompile(`(?:other than|except) (.*)`)

// changedBelow returns those of changed that are at or below the field of a cause, without the parts that the
// server lists as exceptions, unless they are all that changed.
func changedBelow(cause metav1.StatusCause, changed []paths.Path) []paths.Path {
	field, err := paths.ParseAll([]string{cause.Field})
	if err != nil {
		return nil
	}
	var allowed paths.Patterns
	if listed := exceptions.FindStringSubmatch(cause.Message); listed != nil {
		for _, word := range strings.FieldsFunc(listed[1], func(r rune) bool { return strings.ContainsRune(" ,'`", r) }) {
			allowed = append(allowed, record.PatternsOf([]string{word, cause.Field + "." + word})...)
		}
	}
	var below, refused []paths.Path
	for _, path := range changed {
		if !field.AnyPosition().Match(path) {
			continue
		}
		below = append(below, path)
		if !allowed.Match(path) {
			refused = append(refused, path)
		}
	}
	if len(refused) == 0 {
		return below
	}
	return refused
}

// Immutable returns the fields that an error says cannot be changed, nil if the error is of another kind
// or also names another fault. Kubernetes has no status reason for it: validation says "field is
// immutable" or forbids updates, and the rules of CustomResourceDefinitions follow the same words.
func Immutable(err error) []string {
	var invalid *cluster.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Causes) == 0 {
		return nil
	}
	var fields []string
	for _, cause := range invalid.Causes {
		message := strings.ToLower(cause.Message)
		refused := strings.Contains(message, "immutable") ||
			cause.Type == metav1.CauseTypeForbidden && strings.Contains(message, "updates to")
		if !refused {
			return nil
		}
		fields = append(fields, cause.Field)
	}
	return fields
}
