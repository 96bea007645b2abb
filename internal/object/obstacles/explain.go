package obstacles

import (
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// Explain returns err with an explanation from the object and the apply, if there is one.
func (a Apply) Explain(err error) error {
	var refusal *cluster.Error
	var invalid *cluster.InvalidError
	if !errors.As(err, &refusal) || !errors.As(err, &invalid) || len(invalid.Causes) == 0 {
		return err
	}
	if half := a.halfRemoved(refusal, invalid.Causes); half != nil {
		return half
	}
	if held := a.explainHeld(err, refusal, invalid.Causes); held != err { //nolint:errorlint // As in Blocked.
		return held
	}
	return a.explainDuplicate(err, refusal, invalid.Causes)
}

// HeldError is a refusal of values to which other managers have given different ones, such as the placeholder of a
// caBundle that an injector has filled in.
type HeldError struct {
	RefusedError
	Fields []ownership.Change
	// Ignored are the patterns of ignore_fields as they are.
	Ignored []string
}

// explainHeld returns err, or a *HeldError if all causes are about values that differ from those of other managers. A
// server may name a field as in its internal version, spec.conversion.webhookClientConfig.caBundle for instance, so the
// last name counts.
func (a Apply) explainHeld(err error, refusal *cluster.Error, causes []metav1.StatusCause) error {
	snapshot := a.Wanted.Prior.Snapshot
	others := a.ClaimsBefore.Others(a.Wanted.FieldManager)
	renderer, body := snapshot.Renderer(), projection.NewReader(a.Body)
	contested := paths.Filter(others.Fields().Leaves(), func(leaf paths.Path) bool {
		value, presence := body.Lookup(leaf)
		if _, isList := value.([]any); isList || presence != projection.Present {
			return false
		}
		return renderer.Fingerprint(leaf, value) != snapshot.Values[paths.ID(leaf)]
	})
	names := renderer.Names(paths.NewFormatter(others.Fields()))
	held := &HeldError{RefusedError: RefusedError{refusal}, Ignored: paths.Texts(a.Wanted.Ignore)}
	for _, cause := range causes {
		if cause.Type != metav1.CauseTypeFieldValueInvalid {
			return err
		}
		about := namesIn(cause)
		before := len(held.Fields)
		paths.Walk(contested, func(leaf paths.Path, _ bool) {
			if last := leaf[len(leaf)-1].FieldName; last != nil && len(about) > 0 && *last == about[len(about)-1] {
				change := ownership.Change{Field: names.Format(leaf), Owners: others.Holders(leaf)}
				held.Fields = append(held.Fields, change)
			}
		})
		if len(held.Fields) == before {
			return err
		}
	}
	held.Fields = slices.CompactFunc(held.Fields, func(a, b ownership.Change) bool { return a.Field == b.Field })
	return held
}

// DuplicateItemError is a refusal of two list items with the same value where each needs its own. One of the two is
// not in the manifest: as a rule, another client changed the key of an item that the manifest declares.
type DuplicateItemError struct {
	RefusedError
	// Undeclared are the live items with this value that the manifest does not have.
	Undeclared []ownership.Change
	// TakeOver names the managers to take over so that the items can be removed, including those that are taken over
	// already. It is nil if that does not help.
	TakeOver []string
	// Lacking are the fields of the refusal that lack a value.
	Lacking []string
}

// explainDuplicate returns err. It returns a *DuplicateItemError instead if err is about values that a list may have
// only once, and other managers own this value in an item that the body does not have.
func (a Apply) explainDuplicate(err error, refusal *cluster.Error, causes []metav1.StatusCause) error {
	renderer := a.Wanted.Prior.Snapshot.Renderer()
	fields := a.Wanted.Claims().Fields()
	sent, names := projection.NewReader(a.withoutPinnedItems()), renderer.Names(paths.NewFormatter(fields))
	var undeclared []ownership.Change
	for _, cause := range causes {
		unique, unreadable := paths.ParseAll([]string{cause.Field})
		if cause.Type != metav1.CauseTypeFieldValueDuplicate || unreadable != nil {
			continue
		}
		// The server counts positions in the object that the apply would leave, which has more items than the body.
		unique = unique.AnyPosition()
		written := projection.Named(a.withoutPinnedItems(), unique[0])
		paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) {
			item := itemOf(path)
			if item == nil || !unique.Match(path) || unique.Match(path[:len(path)-1]) || sent.Has(item) {
				return
			}
			value, known := a.Wanted.Prior.Snapshot.Values[paths.ID(path)]
			for _, own := range written {
				if known && renderer.Fingerprint(path, own.Value) == value {
					undeclared = append(undeclared, ownership.Change{
						Field: names.Format(item), Owners: a.Wanted.Claims().Holders(path),
					})
					return
				}
			}
		})
	}
	if len(undeclared) == 0 {
		return err
	}
	clash := &DuplicateItemError{RefusedError: RefusedError{refusal}, Undeclared: undeclared, Lacking: lacking(err)}
	isOwn := func(h ownership.Holder) bool { return h.IsOwn(a.Wanted.FieldManager) }
	isForeign := func(item ownership.Change) bool { return !slices.ContainsFunc(item.Owners, isOwn) }
	if !slices.ContainsFunc(undeclared, isForeign) {
		clash.TakeOver = takeOver(slices.DeleteFunc(ownersOf(undeclared), isOwn), a.Wanted.TakeOver)
	}
	return clash
}

// itemOf returns the path of the innermost list item with keys that a field is in; nil without one.
func itemOf(path paths.Path) paths.Path {
	for n := len(path) - 1; n > 0; n-- {
		if path[n-1].Key != nil {
			return path[:n]
		}
	}
	return nil
}
