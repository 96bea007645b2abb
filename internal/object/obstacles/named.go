package obstacles

import (
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// suspectsIn returns the fields among those that the body does not declare which may be why the server refuses the
// object: those that a cause of the refusal names, else those next to and below a field of the body that it names. If a
// cause names a field of before again, which the server has made from another one, they are the fields next to that.
func (s search) suspectsIn(
	refusal error, live []undeclared, before *paths.Set, renderer rendering.Renderer,
) *paths.Set {
	found := paths.NewSet()
	for _, cause := range cluster.CausesOf(refusal) {
		if lacksValue(cause) {
			continue // No removal gives a field a value.
		}
		about := namesIn(cause)
		exact := named(cause, live, renderer)
		found = found.Union(exact)
		if !exact.Empty() {
			continue
		}
		for _, field := range live {
			isSuspect := s.isBeside(field, about) || isBesideAny(field, about, before)
			if field.isItem {
				isSuspect = len(about) > 0 && isRekeyed(field, about, renderer)
			}
			if isSuspect {
				found.Insert(field.path)
			}
		}
	}
	return found
}

// oneOf matches the words by which the server requires one member of a union. It uses them too if there are two.
var oneOf = regexp.MustCompile(`\b(?:exactly|only) one of\b`)

// lacksValue reports whether a cause is about a field that has no value.
func lacksValue(cause metav1.StatusCause) bool {
	return cause.Type == metav1.CauseTypeFieldValueRequired && !oneOf.MatchString(cause.Message)
}

// lacking returns the fields of a refusal that lack a value, sorted, as the server names them.
func lacking(refusal error) []string {
	var fields []string
	for _, cause := range cluster.CausesOf(refusal) {
		if lacksValue(cause) {
			fields = append(fields, cause.Field)
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// named returns the fields that a cause names.
func named(cause metav1.StatusCause, live []undeclared, renderer rendering.Renderer) *paths.Set {
	found, about := paths.NewSet(), namesIn(cause)
	for _, field := range live {
		if !isNamed(field, cause, about, renderer) {
			continue
		}
		if path := innermost(field, about); path != nil {
			found.Insert(path)
		}
	}
	return found
}

// startsWith reports whether names are those of something in the field that first names, or of that field itself.
func startsWith(names, first []string) bool {
	return len(names) >= len(first) && slices.Equal(names[:len(first)], first)
}

// namesIn returns the names in the field of a cause; nil if the cause is about the object as a whole.
func namesIn(cause metav1.StatusCause) []string {
	if cause.Field == "" || strings.HasPrefix(cause.Field, "<nil>") {
		return nil
	}
	return refusals.NamesIn(cause.Field)
}

// isNamed reports whether a cause names a field, or a part of it. A list item is named if it has the value of which
// there may be only one, and if the list may not have so many items.
func isNamed(field undeclared, cause metav1.StatusCause, about []string, renderer rendering.Renderer) bool {
	if !field.isItem {
		return startsWith(about, field.names)
	}
	list := field.names[:len(field.names)-1]
	switch {
	case !startsWith(about, list):
		return false
	case cause.Type == metav1.CauseTypeTooMany:
		return len(about) == len(list)
	case cause.Type != metav1.CauseTypeFieldValueDuplicate:
		return false
	case len(about) <= len(field.names):
		return true
	}
	return repeats(field, about[len(field.names):], renderer)
}

// repeats reports whether the value of a list item at names is also that of an item of the body.
func repeats(item undeclared, names []string, renderer rendering.Renderer) bool {
	value := at(item.value, names)
	declared, _ := item.beside.([]any)
	return value != nil && slices.ContainsFunc(declared, func(other any) bool {
		same := at(other, names)
		return same != nil && renderer.Fingerprint(item.path, same) == renderer.Fingerprint(item.path, value)
	})
}

// isRekeyed reports whether a list item may be an item of the body under other keys, because both share a value other
// than a key, and whether a cause is about its list, a field around the list, or one in it.
func isRekeyed(item undeclared, about []string, renderer rendering.Renderer) bool {
	list, keys := item.names[:len(item.names)-1], paths.KeyFields(item.path[len(item.path)-1])
	if !startsWith(list, about) && !startsWith(about, list) {
		return false
	}
	fields, _ := item.value.(map[string]any)
	for name := range fields {
		if _, isKey := keys[name]; !isKey && repeats(item, []string{name}, renderer) {
			return true
		}
	}
	return false
}

// at returns the value at names in maps; nil without one.
func at(value any, names []string) any {
	fields, _ := value.(map[string]any)
	value, _, _ = unstructured.NestedFieldNoCopy(fields, names...)
	return value
}

// innermost returns the path of the field that a cause names, in an undeclared field around it: the list, if the cause
// names one of its items or a part of one. It returns nil if there are more lists around it.
func innermost(field undeclared, about []string) paths.Path {
	path, value := field.path, field.value
	if field.isItem {
		return path
	}
	for _, name := range about[len(field.names):] {
		if _, isList := value.([]any); isList && len(path) == len(field.path) {
			return path
		}
		fields, isMap := value.(map[string]any)
		if !isMap || fields[name] == nil {
			return nil
		}
		path, value = paths.Below(path, paths.Field(name)), fields[name]
	}
	return path
}

// isBeside reports whether a field is below a field of the body that a cause names, or next to it in the same map. If
// the body does not have the field, the server means another one: it may name fields as its own code does, as
// spec.conversion.webhookClientConfig, for instance. Then parts of fields next to it count, too.
func (s search) isBeside(field undeclared, about []string) bool {
	if len(field.names) > len(about) && startsWith(field.names, about) {
		return len(about) > 0 || field.names[0] != "metadata" && len(field.names) > 1
	}
	if len(about) == 0 || !startsWith(field.names, about[:len(about)-1]) {
		return false
	}
	if declares(s.Body, about) {
		return len(field.names) == len(about)
	}
	return len(about) > 1
}

// declares reports whether a value has something at names, in which "[]" is any list item.
func declares(value any, names []string) bool {
	if len(names) == 0 {
		return true
	}
	if list, isList := value.([]any); isList && names[0] == "[]" {
		return slices.ContainsFunc(list, func(item any) bool { return declares(item, names[1:]) })
	}
	fields, _ := value.(map[string]any)
	part, has := fields[names[0]]
	return has && declares(part, names[1:])
}

// isBesideAny reports whether a field is next to one of before that a cause names, too.
func isBesideAny(field undeclared, about []string, before *paths.Set) bool {
	parent := field.path[:len(field.path)-1]
	return !paths.Filter(before, func(path paths.Path) bool {
		return len(path) == len(field.path) && path[:len(parent)].Equals(parent) &&
			startsWith(about, refusals.NamesOf(path))
	}).Empty()
}

// changedIn returns those of fields that have another value, or no value, in after.
func changedIn(fields *paths.Set, before, after map[string]any) *paths.Set {
	was, is := projection.NewReader(before), projection.NewReader(after)
	return paths.Filter(fields, func(path paths.Path) bool {
		earlier, _ := was.Lookup(path)
		later, _ := is.Lookup(path)
		return projection.Fingerprint(earlier) != projection.Fingerprint(later)
	})
}
