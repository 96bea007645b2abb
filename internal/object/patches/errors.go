package patches

// Error is a fault of a patch. Its strings name fields and quote no values.
type Error struct {
	// Problem describes what was wrong, as a sentence without its full stop.
	Problem string
	// Suggestion describes what to write instead, as a whole sentence.
	Suggestion string
	// Details is the *TestFailedError of a test operation, or the *Error of a patch that does not apply to its own
	// result; nil for other faults. errors.As finds it.
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

func emptyPatch() *Error {
	return &Error{
		Problem:    "the patch is empty, so it changes nothing",
		Suggestion: "Write at least one field to change, or remove the resource.",
	}
}
