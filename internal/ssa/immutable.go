package ssa

import (
	"errors"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// immutableFields returns the fields whose change the server refused by err: where it names a field with parts, as
// the spec of a StatefulSet, those declared parts that differ from the object, and the field itself where none does.
func (u *update) immutableFields(err error) []string {
	var refusal *cluster.InvalidError
	if !errors.As(err, &refusal) {
		return nil
	}
	changed := u.changedFields()
	names := u.intent.renderer(u.prior.Object, u.prior.Snapshot.DigestKey).Names(paths.NewFormatter(u.claims.Fields()))
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

// exceptions is where the server lists the parts of a field that may change.
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

// changedFields returns the fields to which the body gives another value than the object has, those that it adds,
// and those that left it.
func (u *update) changedFields() []paths.Path {
	p, known := u.prior, u.claims.Fields()
	before, now := desiredBefore(p, known), u.intent.desired(u.body)
	declared := p.DeclaredBefore()
	renderer := p.Snapshot.Renderer()
	names := renderer.Names(u.claims.Formatter())
	var changed []paths.Path
	paths.Walk(known.Leaves(), func(path paths.Path, _ bool) {
		was, is := before.of(path, renderer), now.of(path, renderer)
		if is.sent == projection.Absent {
			if was.sent == projection.Present && declared.Has(path) {
				changed = append(changed, path)
			}
			return
		}
		value, _ := now.sent.Lookup(path)
		live, others := p.Snapshot.Values[paths.ID(path)]
		shown, ours := p.ManagedState[names.Format(path)]
		switch {
		case others && live == is.value, ours && shown == renderer.Text(path, value), ours && was == is:
		default:
			changed = append(changed, path)
		}
	})
	return addedFields(u.body, known, nil, changed)
}

// addedFields adds to found the fields of value that known does not have, each without its parts.
func addedFields(value any, known *paths.Set, at paths.Path, found []paths.Path) []paths.Path {
	visit := func(element paths.PathElement, part any) {
		below, path := paths.Children(known, element), paths.Below(at, element)
		switch {
		case below != nil:
			found = addedFields(part, below, path, found)
		case !paths.Has(known, element):
			found = append(found, path)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			visit(paths.Field(name), part)
		}
	case []any:
		for i, element := range projection.NameItems(value, known) {
			visit(element, value[i])
		}
	}
	return found
}
