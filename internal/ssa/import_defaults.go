package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// rehearsal creates variants of a live object under a name of its own, as dry-runs.
type rehearsal struct {
	id   manifest.Identity
	live map[string]any
}

const (
	// rehearsalSuffix ends the names of objects that dry-runs create.
	rehearsalSuffix = "-rehearsal"
	// rehearsals bounds the dry-runs of one import: each that the server refuses names fields to keep.
	rehearsals = 12
)

// withoutDefaults is fields without those of doubtful that the server fills in with the same value when
// they are left out. Where the server will not rehearse the object, all fields stay.
func withoutDefaults(ctx context.Context, cluster Cluster, r rehearsal, fields, doubtful *paths.Set) (*paths.Set, error) {
	fields, err := r.omit(ctx, cluster, fields, doubtful.Intersection(fields))
	if err != nil {
		return fields, err
	}
	return r.omit(ctx, cluster, fields, spareKeys(fields).Intersection(doubtful))
}

// omit leaves out as much of omitted as the server can do without.
func (r rehearsal) omit(ctx context.Context, cluster Cluster, fields, omitted *paths.Set) (*paths.Set, error) {
	for range rehearsals {
		if omitted.Empty() {
			return fields, nil
		}
		result, body, err := r.create(ctx, cluster, fields.Difference(omitted))
		switch {
		case err == nil:
			return fields.Difference(r.unchanged(result, omitted)), nil
		case ctx.Err() != nil:
			return fields, err
		}
		needed := demanded(err, omitted, body)
		if needed.Empty() {
			return fields, nil
		}
		omitted = omitted.Difference(needed)
	}
	return fields, nil
}

// spareKeys are the key fields of list items beside the first, such as a port's protocol: an item that
// keeps one key field is still there when the server fills in the others.
func spareKeys(fields *paths.Set) *paths.Set {
	spare := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		if names := itemKeys(path); len(names) > 1 && *path[len(path)-1].FieldName != names[0] {
			spare.Insert(path)
		}
	})
	return spare
}

// itemKeys are the sorted names of the key fields of the list item that path is a key field of; nil where
// it is none.
func itemKeys(path paths.Path) []string {
	if len(path) < 2 || path[len(path)-1].FieldName == nil {
		return nil
	}
	keys := paths.KeyFields(path[len(path)-2])
	if _, is := keys[*path[len(path)-1].FieldName]; !is {
		return nil
	}
	return slices.Sorted(maps.Keys(keys))
}

func (r rehearsal) create(ctx context.Context, cluster Cluster, fields *paths.Set) (result, body map[string]any, err error) {
	id := r.id
	id.Name += rehearsalSuffix
	body = identified(projection.Extract(r.live, fields, projection.AddItemKeys), id)
	dry, err := cluster.Apply(ctx, id, body, ApplyOptions{FieldManager: "k8sconnect" + rehearsalSuffix, DryRun: true, Force: true})
	if err != nil {
		return nil, body, err
	}
	return dry.Object.Object, body, nil
}

// unchanged are the omitted fields that the server gave the value that they have.
func (r rehearsal) unchanged(result map[string]any, omitted *paths.Set) *paths.Set {
	same, live := paths.NewSet(), projection.NewReader(r.live)
	projection.Walk(result, omitted, func(field projection.Field) {
		value, presence := live.Lookup(field.Path)
		if field.Presence == presence && projection.Fingerprint(field.Value) == projection.Fingerprint(value) {
			same.Insert(field.Path)
		}
	})
	return same
}

// demanded are the omitted fields that an invalid object was refused for. A list that has to be there is
// given back the key fields of its items, which may be all that it needs.
func demanded(err error, omitted *paths.Set, body map[string]any) *paths.Set {
	needed := paths.NewSet()
	var e *Error
	if !errors.As(err, &e) || e.Reason != ReasonInvalid {
		return needed
	}
	for _, cause := range e.Causes {
		pattern, err := paths.Parse(cause.Field)
		if err != nil {
			continue
		}
		covered, _ := projection.Covered(omitted, paths.Patterns{pattern}, body)
		keys := paths.NewSet()
		paths.Walk(covered, func(path paths.Path, _ bool) {
			if itemKeys(path) != nil {
				keys.Insert(path)
			}
		})
		if keys.Empty() {
			keys = covered
		}
		needed = needed.Union(keys)
	}
	return needed
}
