package refusals

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

// DuplicateItemError is a refusal of two list items with the same value where each needs its own. One of the two is
// not in the manifest: as a rule, somebody changed the key of an item that the manifest declares.
type DuplicateItemError struct {
	Refusal *cluster.Error
	// Undeclared are the live items with such a value that the manifest does not have.
	Undeclared []LiveField
}

func (e *DuplicateItemError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *DuplicateItemError) Unwrap() error { return e.Refusal }

// explainDuplicate returns err. It returns a *DuplicateItemError instead if err is about values that a list may have
// only once, and others own such a value in an item that the body does not have.
func explainDuplicate(a prediction.Attempt, err error) error {
	var refusal *cluster.Error
	var invalid *cluster.InvalidError
	if !errors.As(err, &refusal) || !errors.As(err, &invalid) {
		return err
	}
	renderer := a.Prior.Snapshot.Renderer()
	fields := a.Claims.Fields()
	sent, names := projection.NewReader(a.Body), renderer.Names(paths.NewFormatter(fields))
	var undeclared []LiveField
	for _, cause := range invalid.Causes {
		unique, unreadable := paths.ParseAll([]string{cause.Field})
		if cause.Type != metav1.CauseTypeFieldValueDuplicate || unreadable != nil {
			continue
		}
		unique = unique.AnyPosition()
		written := valuesAt(a.Body, unique.Start(), nil)
		paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) {
			item := itemOf(path)
			if item == nil || !unique.Match(path) || unique.Match(path[:len(path)-1]) {
				return
			}
			if _, presence := sent.Lookup(item); presence == projection.Present {
				return
			}
			value, known := a.Prior.Snapshot.Values[paths.ID(path)]
			for _, own := range written {
				if known && renderer.Fingerprint(path, own) == value {
					undeclared = append(undeclared, LiveField{Field: names.Format(item), Owners: a.Claims.Holders(path)})
					return
				}
			}
		})
	}
	if len(undeclared) == 0 {
		return err
	}
	return &DuplicateItemError{Refusal: refusal, Undeclared: undeclared}
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

// valuesAt adds to found the values that patterns cover in an object.
func valuesAt(value any, at paths.Cursor, found []any) []any {
	if at.Matched() {
		return append(found, value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			found = valuesAt(part, at.Field(name), found)
		}
	case []any:
		for i, item := range value {
			found = valuesAt(item, at.Item(paths.Item{Index: i, Value: item}), found)
		}
	}
	return found
}
