package obstacles

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// DefaultsError is a refusal of values together with others that the body lacks, and that the server chooses.
type DefaultsError struct {
	RefusedError
	// Fields are these others, with the values of a new object. Zero are those for which the server asks for zero.
	Fields []ownership.Change
	Zero   []string
}

// OfDefaults returns a *DefaultsError if a refusal names fields that are not in the body, but that the server would
// fill in on a new object. accepts asks the server for the body without the other fields that the refusal names: at
// most one request. Otherwise OfDefaults returns err.
func OfDefaults(err error, body map[string]any, accepts Accepts) error {
	refusal, is := errors.AsType[*cluster.Error](err)
	blocked, isBlocked := errors.AsType[*BlockedError](err)
	asRefused := is && err == error(refusal) //nolint:errorlint // It is the refusal, or an explanation of it.
	if !asRefused && (!isBlocked || !blocked.Stays) || !refusals.IsOfObject(refusal) {
		return err
	}
	rest, causes := runtime.DeepCopyJSON(body), cluster.CausesOf(refusal)
	isChanged := false
	for _, cause := range causes {
		for _, places := range placesOf(cause) {
			isRemoved := func(at string) bool { return remove(rest, refusals.NamesIn(at)) }
			isChanged = slices.ContainsFunc(places, isRemoved) || isChanged
		}
	}
	if !isChanged {
		return err
	}
	answer, refused := accepts(rest)
	if refused != nil {
		return err
	}
	found := &DefaultsError{RefusedError: RefusedError{refusal}}
	for _, cause := range causes {
		for _, places := range placesOf(cause) {
			found.note(cause, places, body, answer)
		}
	}
	if isBlocked {
		found.Fields = slices.DeleteFunc(found.Fields, func(f ownership.Change) bool { return !blocked.has(f) })
	}
	if len(found.Fields) == 0 {
		return err
	}
	return found
}

// has reports whether a field in the way has the value of a new object. If not, the server has chosen it for this one.
func (e *BlockedError) has(field ownership.Change) bool {
	return slices.ContainsFunc(e.Fields, func(f ownership.Change) bool {
		return f.Was == field.Was && slices.Equal(refusals.NamesIn(f.Field), refusals.NamesIn(field.Field))
	})
}

// note adds the first of places at which the answer contains a value, unless the body contains one at any of them.
func (e *DefaultsError) note(cause metav1.StatusCause, places []string, body, answer map[string]any) {
	if slices.ContainsFunc(places, func(at string) bool { return declares(body, refusals.NamesIn(at)) }) {
		return
	}
	for _, at := range places {
		value := valueAt(answer, refusals.NamesIn(at))
		isNew := !slices.ContainsFunc(e.Fields, func(f ownership.Change) bool { return f.Field == at })
		if _, isMap := value.(map[string]any); value == nil || isMap || !isNew {
			continue
		}
		e.Fields = append(e.Fields, ownership.Change{Field: at, Was: rendering.Renderer{}.Text(nil, value)})
		if strings.Contains(cause.Message, at[strings.LastIndex(at, ".")+1:]+" is non-zero") {
			e.Zero = append(e.Zero, at)
		}
		return
	}
}

// quoted matches values in the words of a cause, and fieldName the names of fields.
var (
	quoted    = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	fieldName = regexp.MustCompile("`([a-z][A-Za-z]*)`|\\b([a-z]+[A-Z][A-Za-z]*)\\b")
)

// placesOf returns the fields that a cause names: its own, and for each name in its words the places next to that one
// and around it, innermost first.
func placesOf(cause metav1.StatusCause) [][]string {
	if cause.Field == "" {
		return nil
	}
	places, parts := [][]string{{cause.Field}}, strings.Split(cause.Field, ".")
	for _, match := range fieldName.FindAllStringSubmatch(quoted.ReplaceAllString(cause.Message, ""), -1) {
		var around []string
		for n := len(parts) - 1; n > 0; n-- {
			around = append(around, strings.Join(parts[:n], ".")+"."+match[1]+match[2])
		}
		places = append(places, around)
	}
	return places
}

// remove removes a field, and reports whether there was one.
func remove(value any, names []string) bool {
	if list, isList := value.([]any); isList && names[0] == "[]" && len(names) > 1 {
		removed := false
		for _, item := range list {
			removed = remove(item, names[1:]) || removed
		}
		return removed
	}
	fields, _ := value.(map[string]any)
	part, has := fields[names[0]]
	if !has || len(names) > 1 {
		return has && remove(part, names[1:])
	}
	delete(fields, names[0])
	return true
}

// valueAt returns the value of a field: the first one in lists.
func valueAt(value any, names []string) any {
	if len(names) == 0 {
		return value
	}
	if list, isList := value.([]any); isList && names[0] == "[]" {
		for _, item := range list {
			if found := valueAt(item, names[1:]); found != nil {
				return found
			}
		}
	}
	fields, _ := value.(map[string]any)
	if part, has := fields[names[0]]; has {
		return valueAt(part, names[1:])
	}
	return nil
}
