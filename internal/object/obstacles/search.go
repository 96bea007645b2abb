package obstacles

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

const (
	// mostRounds is how many refusals in a row a search follows: the server does not name all faults at once.
	mostRounds = 3
	// mostSuspects is how many fields a search tells apart.
	mostSuspects = 16
)

// Found is the result of a search.
type Found struct {
	// Fields have to be removed with the apply; nil if the search is not certain of any. After is the object after the
	// apply, as it was sent to the server.
	Fields *paths.Set
	After  map[string]any
	// Kept is true if the server refuses the object because of a field that it restores when it is removed.
	Kept bool
	// Left are the fields that would have to be removed, if some of them are left to other managers; nil otherwise.
	Left *paths.Set
}

// Accepts sends an object that an apply may leave, and returns what the server makes of it.
type Accepts func(after map[string]any) (map[string]any, error)

// Search looks for the fields of a live object that the body does not declare, and without which the server takes the
// apply that it has refused. It costs one request if there is one such field; otherwise one more for each field that
// the refusal may be about, at most 20. It returns the error of a request, unless that is another refusal of the
// object, and the refusal of a change that is immutable. If it finds none, and the configuration leaves fields to other
// managers, it looks for those of them that block the apply, at the same cost and one request.
func (a Apply) Search(refusal error, live map[string]any, accepts Accepts) (Found, error) {
	found, err := a.search(refusal, live, accepts)
	if err != nil || found.Fields != nil || len(a.Wanted.LeftAlone()) == 0 {
		return found, err
	}
	left := a.Wanted.LeftAlone()
	a.Wanted.Ignore, a.Wanted.IgnoredByManager = nil, nil
	if without, err := a.search(refusal, live, accepts); err == nil && without.Fields != nil {
		found.Left = without.Fields
	} else if err == nil && a.acceptsDeclared(live, accepts) {
		found.Left, found.Kept = a.differing(left, live), false
	}
	return found, nil
}

// acceptsDeclared reports whether the server takes the object with all values of the manifest. The configuration leaves
// some of them to other managers, who have set other values: one request.
func (a *Apply) acceptsDeclared(live map[string]any, accepts Accepts) bool {
	known := a.ClaimsBefore.Fields().Union(a.named())
	a.Body = a.Wanted.Body(known, a.Wanted.Prior.Snapshot.UID)
	s := search{Apply: *a, known: known, live: live}
	s.base = s.pruned()
	_, err := accepts(s.after(paths.NewSet()))
	return err == nil
}

// differing returns the fields of the body that patterns cover and that have other values on the live object.
func (a Apply) differing(patterns paths.Patterns, live map[string]any) *paths.Set {
	known := a.ClaimsBefore.Fields().Union(a.named())
	declared, _ := projection.Covered(projection.WithValues(a.Body, known), patterns, live)
	if fields := changedIn(declared.Leaves(), live, a.Body); !fields.Empty() {
		return fields
	}
	return nil
}

func (a Apply) search(refusal error, live map[string]any, accepts Accepts) (Found, error) {
	s := search{Apply: a, known: a.ClaimsBefore.Fields().Union(a.named()), live: live, accepts: accepts}
	s.base = s.pruned()
	suspected := paths.NewSet()
	for range mostRounds {
		more := s.suspects(refusal, suspected)
		if more.Empty() {
			break
		}
		suspected = suspected.Union(more)
		answer, err := s.accepts(s.after(suspected))
		if err == nil {
			return s.smallest(suspected, answer)
		}
		if refusals.Immutable(err) != nil || cluster.ReasonOf(err) != cluster.ReasonInvalid {
			return Found{}, err
		}
		refusal = err
	}
	return Found{Kept: names(refusal, paths.Filter(suspected, isOutsideItems))}, nil
}

// isOutsideItems reports whether a path leads through no list item. Of an item, the server names the position, at which
// there may be another one after a removal.
func isOutsideItems(path paths.Path) bool {
	return !slices.ContainsFunc(path, func(element paths.PathElement) bool { return element.FieldName == nil })
}

// names reports whether a refusal names one of fields, or a part of it.
func names(refusal error, fields *paths.Set) bool {
	return slices.ContainsFunc(cluster.CausesOf(refusal), func(cause metav1.StatusCause) bool {
		return !paths.Filter(fields, func(path paths.Path) bool {
			return startsWith(namesIn(cause), refusals.NamesOf(path))
		}).Empty()
	})
}

type search struct {
	Apply
	known *paths.Set
	// base is the live object without the fields that the apply prunes.
	live, base map[string]any
	accepts    Accepts
}

// pruned returns the live object without the fields that the apply prunes.
func (s search) pruned() map[string]any {
	return prediction.Inputs{
		Wanted: s.Wanted, Rewrite: s.Rewrite, Body: s.Body, Result: s.live, PrunesNothing: true,
		Applied: projection.WithValues(s.Body, s.known),
	}.Outcome()
}

// after returns the object after an apply that also removes fields, and does not pin what is in them.
func (s search) after(fields *paths.Set) map[string]any {
	rest, _ := projection.Strip(s.base, fields).(map[string]any)
	body, _ := projection.Strip(s.Body, fields.Intersection(paths.OrEmpty(s.Wanted.Pins.Items))).(map[string]any)
	return overlay(rest, body, s.known)
}

// suspects returns the fields that a refusal may be about and that are not among those that were suspected before.
// Fields that are left to other managers are not suspected.
func (s search) suspects(refusal error, before *paths.Set) *paths.Set {
	rest, _ := projection.Strip(s.base, before).(map[string]any)
	live := s.undeclaredIn(rest, s.known)
	found := s.suspectsIn(refusal, live, before, s.Wanted.Prior.Snapshot.Renderer())
	// A field that remove_fields covers is removed as a whole, with the parts of other managers, if it cannot be
	// removed without them.
	leaving := s.Wanted.WhenPruneRefused(s.Wanted.Claims(), s.Wanted.PreviousManager(), refusal).Removed
	found = found.Union(paths.Filter(leaving, s.Wanted.Remove.Match)).Difference(before)
	left := coveredIn(s.live, s.Wanted.LeftAlone(), s.known, found)
	byServer := record.ServerFields(s.Wanted.Prior.Object)
	return paths.Filter(found, func(path paths.Path) bool {
		return !paths.Touches(left, path) && !paths.Touches(byServer, path)
	})
}

// coveredIn returns what patterns cover on a live object: of known and fields, and values that no manager owns.
func coveredIn(live map[string]any, patterns paths.Patterns, known, fields *paths.Set) *paths.Set {
	covered, _ := projection.Covered(known.Union(fields), patterns, live)
	return covered.Union(projection.Matching(live, patterns, known))
}

// smallest returns the fewest of suspected that the server cannot do without. answer is the object without all of them:
// a value that comes back is a default. If two different sets would do, it returns no Fields.
func (s search) smallest(suspected *paths.Set, answer map[string]any) (Found, error) {
	gone := changedIn(suspected, s.live, answer)
	if gone.Size() > mostSuspects {
		return Found{}, nil
	}
	needed := gone
	if gone.Size() > 1 {
		needed = paths.NewSet()
		var failed error
		paths.Walk(gone, func(path paths.Path, _ bool) {
			if failed != nil {
				return
			}
			_, err := s.accepts(s.after(gone.Difference(paths.NewSet(path))))
			if cluster.ReasonOf(err) == cluster.ReasonInvalid {
				needed.Insert(path)
				return
			}
			failed = err
		})
		if failed != nil {
			return Found{}, failed
		}
	}
	after := s.after(needed)
	if !needed.Equals(gone) {
		if _, err := s.accepts(after); err != nil {
			return Found{}, nil //nolint:nilerr // Another set of fields would do, too.
		}
	}
	return Found{Fields: needed, After: after}, nil
}
