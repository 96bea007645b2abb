package ssa

import (
	"context"
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// Emptied is a map or list that an apply would leave without anything in it, while somebody owns it.
type Emptied struct {
	// Names lead to it from the root of the object.
	Names []string
	// Value is it, empty.
	Value any
}

// emptied are the maps and lists that an error says an apply would make null; nil where the error says
// anything else besides, or where one of them is inside a list. Server-side apply removes the last part of
// a map or list and leaves null where another manager, or the body itself, owns the map: Kubernetes 1.36
// does not take that for custom resources.
func emptied(err error) []Emptied {
	var e *Error
	if !errors.As(err, &e) || e.Reason != ReasonInvalid {
		return nil
	}
	var all []Emptied
	for _, cause := range e.Causes {
		var value any
		switch {
		case strings.Contains(cause.Field, "["):
			return nil
		case strings.HasSuffix(cause.Message, `must be of type object: "null"`):
			value = map[string]any{}
		case strings.HasSuffix(cause.Message, `must be of type array: "null"`):
			value = []any{}
		default:
			return nil
		}
		all = append(all, Emptied{strings.Split(cause.Field, "."), value})
	}
	return all
}

// empty empties what refusal says the apply would make null: a GET and a PATCH. What holds a part of
// somebody else by now is left alone, and refusal is the error.
func empty(ctx context.Context, cluster Cluster, intent Intent, prior Prior, refusal error) error {
	live, err := cluster.Get(ctx, prior.Object)
	if err != nil {
		return err
	}
	if uid := string(live.GetUID()); uid != prior.Snapshot.UID {
		return recreated(prior.Object, prior.Snapshot.UID, live)
	}
	claims, err := ownership.Parse(live.GetManagedFields())
	if err != nil {
		return unreadable(prior.Object, err)
	}
	fields := emptied(refusal)
	for _, field := range fields {
		if !holdsOursAlone(live.Object, claims, intent.FieldManager, field) {
			return refusal
		}
	}
	err = cluster.Empty(ctx, prior.Object, intent.FieldManager, live.GetResourceVersion(), fields)
	if ReasonOf(err) == ReasonConflict {
		return nil // Somebody wrote in between, or our own answer was lost: the apply that follows tells.
	}
	return err
}

// holdsOursAlone says whether every part of a map or list is ours and would go with us: an item goes with
// all that others hold inside of it, unless they hold the item itself.
func holdsOursAlone(object map[string]any, claims ownership.Claims, fieldManager string, field Emptied) bool {
	var path paths.Path
	own, others := claims.Own(fieldManager), claims.Others(fieldManager).Fields()
	for _, name := range field.Names {
		path = append(path, paths.Field(name))
		own, others = paths.Children(own, paths.Field(name)), paths.Children(others, paths.Field(name))
	}
	ours := paths.Elements(own)
	for _, element := range paths.Elements(others) {
		isOurs := slices.ContainsFunc(ours, func(o paths.PathElement) bool { return o.Equals(element) })
		if !isOurs || paths.Has(others, element) || !paths.Has(own, element) {
			return false
		}
	}
	parts := 0
	value, _ := projection.Lookup(object, path)
	switch value := value.(type) {
	case map[string]any:
		parts = len(value)
	case []any:
		parts = len(value)
	}
	return parts > 0 && parts == len(ours)
}

// pruned is the result of the dry-run without what leaves our claim and goes from a map that the body
// gives as empty: a rehearsal under another name removes nothing.
func (in prediction) pruned(before ownership.Claims) map[string]any {
	result := runtime.DeepCopyJSON(in.result)
	own, others := before.Own(in.intent.FieldManager), before.Others(in.intent.FieldManager).Fields()
	body := projection.NewReader(in.body)
	paths.Walk(in.applied, func(leaf paths.Path, isLeaf bool) {
		written, _ := body.Lookup(leaf)
		if gives, isMap := written.(map[string]any); !isLeaf || !isMap || len(gives) > 0 {
			return
		}
		value, _ := projection.Lookup(result, leaf)
		if fields, isMap := value.(map[string]any); isMap {
			prune(fields, leaf, own, others)
		}
	})
	return result
}

// prune takes out of the map at path what own holds and others do not.
func prune(fields map[string]any, at paths.Path, own, others *paths.Set) {
	for name, value := range fields {
		child := paths.Below(at, paths.Field(name))
		if leavesWithUs(child, own, others) {
			delete(fields, name)
			continue
		}
		if inner, isMap := value.(map[string]any); isMap {
			prune(inner, child, own, others)
		}
	}
}

// leavesWithUs says whether a part goes when it leaves our claim: one that we hold ourselves goes with all
// that others hold inside of it, another one where others hold nothing of it.
func leavesWithUs(part paths.Path, own, others *paths.Set) bool {
	if own.Has(part) {
		return !others.Has(part)
	}
	return ownership.HasParts(own, part) && !others.Has(part) && !ownership.HasParts(others, part)
}
