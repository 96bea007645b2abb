package obstacles

import (
	"errors"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// RefusedError is the server's answer that an error of this package explains.
type RefusedError struct{ Refusal *cluster.Error }

func (r RefusedError) Error() string { return r.Refusal.Error() }

// Unwrap returns the server's refusal.
func (r RefusedError) Unwrap() error { return r.Refusal }

// BlockedError is a refusal of an apply because of fields that only the live object contains, and that the apply
// does not remove: they are left to other managers, or it is not certain which of them would have to go.
type BlockedError struct {
	RefusedError
	// Fields are removed values, with their owners.
	Fields []ownership.Change
	// Stays is true if the server restores the fields when they are removed. New is its refusal of a new object.
	Stays bool
	New   error
	// Ignored are the patterns of ignore_fields that cover one of Fields, or a part of one.
	Ignored []string
	// Lacking are the fields of the refusal that lack a value. No removal gives them one.
	Lacking []string
}

// Names returns the paths of the fields.
func (e *BlockedError) Names() []string {
	names := make([]string, len(e.Fields))
	for i, field := range e.Fields {
		names[i] = field.Field
	}
	return names
}

// KeptError is a *BlockedError about fields that the server restores when they are removed. It takes the manifest for a
// new object, so it is the change that it refuses.
type KeptError struct{ *BlockedError }

// Unwrap returns the *BlockedError.
func (e *KeptError) Unwrap() error { return e.BlockedError }

// IsKept reports whether an error is a *KeptError.
func IsKept(err error) bool {
	_, is := errors.AsType[*KeptError](err)
	return is
}

// Blocked returns what Explain does, and a *BlockedError if what a search has found and the apply leaves to other
// managers, or fields that the refusal names and the body does not declare, are in the way.
func (a Apply) Blocked(err error, live map[string]any, found Found) error {
	if explained := a.Explain(err); explained != err { //nolint:errorlint // It is the same error, or another one.
		return explained
	}
	if found.Left != nil {
		return a.inTheWay(err, found.Left, live)
	}
	fields, undeclared := paths.NewSet(), a.undeclaredIn(live, a.Wanted.Claims().Fields().Union(a.named()))
	for _, cause := range cluster.CausesOf(err) {
		if !lacksValue(cause) {
			fields = fields.Union(named(cause, undeclared, a.Wanted.Prior.Snapshot.Renderer()))
		}
	}
	err = a.inTheWay(err, fields, live)
	if blocked, is := errors.AsType[*BlockedError](err); is {
		blocked.Stays = found.Kept
	}
	return err
}

// inTheWay returns a *BlockedError for a refusal because of fields of the live object; err without them.
func (a Apply) inTheWay(err error, fields *paths.Set, live map[string]any) error {
	var refusal *cluster.Error
	if !errors.As(err, &refusal) {
		return err
	}
	claims, shown := a.Wanted.Claims(), a.Wanted.LiveRenderer().Knowing(live)
	known := claims.Fields()
	names := shown.Names(claims.Formatter(fields))
	blocked := &BlockedError{RefusedError: RefusedError{refusal}, Lacking: lacking(err)}
	parts, values := partsIn(live, fields, known), projection.NewReader(live)
	for _, part := range parts {
		value, _ := values.Lookup(part)
		blocked.Fields = append(blocked.Fields, ownership.Change{
			Field: names.Format(part), Was: shown.Text(part, value), Becomes: ownership.RemovedValue,
			Owners: claims.Holders(part),
		})
	}
	if len(blocked.Fields) == 0 {
		return err
	}
	for _, pattern := range a.Wanted.Ignore {
		ignored := coveredIn(live, paths.Patterns{pattern}, known.Union(a.named()), fields)
		if slices.ContainsFunc(parts, func(part paths.Path) bool { return paths.Touches(ignored, part) }) {
			blocked.Ignored = append(blocked.Ignored, rendering.Field(shown.Sensitive, pattern.String(), false))
		}
	}
	return blocked
}

// partsIn returns the leaves of fields that have a value in a live object: the parts that known holds, and the fields
// without parts in known. Keys of list items are left out.
func partsIn(live map[string]any, fields, known *paths.Set) []paths.Path {
	var parts []paths.Path
	values := projection.NewReader(live)
	paths.Walk(fields, func(field paths.Path, _ bool) {
		before := len(parts)
		paths.Walk(paths.OrEmpty(paths.PartsOf(known, field)).Leaves(), func(below paths.Path, _ bool) {
			part := slices.Concat(field, below)
			if values.Has(part) && !paths.IsKeyField(part) {
				parts = append(parts, part)
			}
		})
		if len(parts) == before {
			parts = append(parts, field)
		}
	})
	return parts
}
