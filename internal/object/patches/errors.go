package patches

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Error is a fault of a patch. Its strings name fields and quote no values.
type Error struct {
	// Problem describes what was wrong, as a sentence without its full stop.
	Problem string
	// Suggestion describes what to write instead, as a whole sentence.
	Suggestion string
	// Details describes the fault further: a *TestFailedError, a *NoStrategicMergeError or an *UnstableError; nil for
	// other faults. errors.As finds it.
	Details error
}

func (e *Error) Error() string { return e.Problem + ". " + e.Suggestion }

// Unwrap returns the details.
func (e *Error) Unwrap() error { return e.Details }

// TestFailedError is a test operation whose value differs from the object's.
type TestFailedError struct {
	// Pointer is the JSON pointer of the operation.
	Pointer string
	// Want is the value of the operation, Found the object's; nil if Missing.
	Want, Found any
	// Missing is true if the object does not have the field.
	Missing bool
}

func (e *TestFailedError) Error() string {
	if e.Missing {
		return "the object has no field at " + e.Pointer
	}
	return "the object has another value at " + e.Pointer
}

// NoStrategicMergeError is a kind without a known strategic merge: a custom resource, or a kind that is newer than this
// provider.
type NoStrategicMergeError struct{ Kind schema.GroupVersionKind }

func (e *NoStrategicMergeError) Error() string {
	return fmt.Sprintf("%s (%s) has no known strategic merge", e.Kind.Kind, e.Kind.GroupVersion())
}

// UnstableError is a patch that would not be in effect after it was applied.
type UnstableError struct {
	// Fields are the fields that the patch would change in its own result. They are empty if it would not apply to its
	// result.
	Fields []Field
	// Cause is why the patch would not apply to its own result; nil if it would.
	Cause error
}

func (e *UnstableError) Error() string {
	if e.Cause != nil {
		return "the patch does not apply to its own result"
	}
	return "the patch changes its own result"
}

// Unwrap returns the cause.
func (e *UnstableError) Unwrap() error { return e.Cause }

func emptyPatch() *Error {
	return &Error{
		Problem:    "the patch is empty, so it changes nothing",
		Suggestion: "Write at least one field to change, or remove the resource.",
	}
}
