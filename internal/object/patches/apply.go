package patches

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Result is the result of a patch on an object.
type Result struct {
	// Before and After are the object, without fields that are null and with whole numbers as int64. The stringData of
	// a Secret is in After as the data that it becomes. If the patch is strategic, empty lists are left out too. Before
	// and After share parts. Do not mutate them.
	Before, After map[string]any
	// InEffect is true if the patch changes nothing.
	InEffect bool
	// Body is the body of the request that makes After of the object. It does not contain removals of missing fields,
	// or operations for items that are already in their lists. It is "[]" or "{}" if nothing is left of the patch.
	Body []byte
}

// Apply returns the result of the patch on an object of a kind. live is not mutated. Every failure is an *Error: an
// operation that does not fit the object any more, a test that fails, a strategic patch of a kind without one, a patch
// that is not in effect on its own result.
func (p Patch) Apply(live map[string]any, kind schema.GroupVersionKind) (Result, error) {
	before, err := canonicalObject(live)
	if err != nil {
		return Result{}, err
	}
	if p.Type == Strategic {
		remove(before, isEmptyList)
	}
	result, err := p.once(before, kind)
	if err != nil || result.InEffect {
		return result, err
	}
	again, err := p.once(result.After, kind)
	switch {
	case err != nil:
		return Result{}, undoing(err)
	case !again.InEffect:
		return Result{}, repeating(again)
	}
	return result, nil
}

func (p Patch) once(before map[string]any, kind schema.GroupVersionKind) (Result, error) {
	var after map[string]any
	var body []byte
	var err error
	switch p.Type {
	case JSON:
		after, body, err = p.operate(before)
	case Merge:
		after, body, err = p.merge(before)
	default:
		after, body, err = p.mergeStrategically(before, kind)
	}
	if err != nil {
		return Result{}, err
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	if (manifest.Identity{APIVersion: apiVersion, Kind: name}).IsSecret() {
		after = manifest.StringDataAsData(after)
	}
	return Result{Before: before, After: after, InEffect: reflect.DeepEqual(before, after), Body: body}, nil
}

// FitsAnswer returns an *[Error] if the patch does not fit answer, which the API server has made of the object: the
// server may drop a value that an operation of the patch needs.
func (p Patch) FitsAnswer(answer map[string]any, kind schema.GroupVersionKind) error {
	_, err := p.Apply(answer, kind)
	if err == nil {
		return nil
	}
	return &Error{
		Problem: "once the API server has applied it, the patch does not fit the object any more: " + problemOf(err),
		Suggestion: "Write an add instead of a replace or a copy, and leave out a test of a value that the server " +
			"writes in another way.",
		Details: err,
	}
}

func undoing(err error) *Error {
	return &Error{
		Problem:    "once it is applied, the patch does not fit the object any more: " + problemOf(err),
		Suggestion: "Write what the object should look like, so that the patch is in effect after its apply.",
		Details:    err,
	}
}

func repeating(again Result) *Error {
	problem := "the patch changes the object again at each apply"
	if changes := projection.Changes(again.Before, again.After, nil); len(changes) > 0 {
		problem += ", for example " + paths.Format(changes[0].Path)
	}
	return &Error{
		Problem: problem,
		Suggestion: "Write what the object should look like: set a list as a whole, " +
			"or name its items by their keys with a strategic patch or server-side apply.",
	}
}

func problemOf(err error) string {
	if fault, is := err.(*Error); is { //nolint:errorlint // once returns it as it is.
		return fault.Problem
	}
	return err.Error()
}
