package obstacles

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// HeldError is a refusal of values to which other managers have given others, such as the placeholder of a caBundle
// that an injector has filled in.
type HeldError struct {
	Refusal *cluster.Error
	Fields  []LiveField
	// Ignored are the patterns of ignore_fields as they are.
	Ignored []string
}

func (e *HeldError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *HeldError) Unwrap() error { return e.Refusal }

// explainHeld returns err, or a *HeldError if all causes are about such values. A server may name a field as in its
// internal version, spec.conversion.webhookClientConfig.caBundle for instance, so the last name counts.
func (a Apply) explainHeld(err error, refusal *cluster.Error, causes []metav1.StatusCause) error {
	snapshot := a.Wanted.Prior.Snapshot
	renderer, others, body := snapshot.Renderer(), a.Meets.Others(a.Wanted.FieldManager), projection.NewReader(a.Body)
	contested := paths.Filter(others.Fields().Leaves(), func(leaf paths.Path) bool {
		value, presence := body.Lookup(leaf)
		if _, isList := value.([]any); isList || presence != projection.Present {
			return false
		}
		return renderer.Fingerprint(leaf, value) != snapshot.Values[paths.ID(leaf)]
	})
	names := renderer.Names(paths.NewFormatter(others.Fields()))
	held := &HeldError{Refusal: refusal, Ignored: paths.Texts(a.Wanted.Ignore)}
	for _, cause := range causes {
		if cause.Type != metav1.CauseTypeFieldValueInvalid {
			return err
		}
		about := namesIn(cause)
		before := len(held.Fields)
		paths.Walk(contested, func(leaf paths.Path, _ bool) {
			if last := leaf[len(leaf)-1].FieldName; last != nil && len(about) > 0 && *last == about[len(about)-1] {
				held.Fields = append(held.Fields, LiveField{Field: names.Format(leaf), Owners: others.Holders(leaf)})
			}
		})
		if len(held.Fields) == before {
			return err
		}
	}
	held.Fields = slices.CompactFunc(held.Fields, func(a, b LiveField) bool { return a.Field == b.Field })
	return held
}
