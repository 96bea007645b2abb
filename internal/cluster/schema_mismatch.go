package cluster

// SchemaMismatchError has the details of ReasonSchemaMismatch: a value that does not fit the schema of its kind.
type SchemaMismatchError struct {
	// Field is the path as the server writes it, without the leading dot; "" where the server names none, and
	// the schema could not tell.
	Field string
	// Problem is what the server says of it, "field not declared in schema" for instance, without the value.
	Problem string
	Of      MismatchSource
	// More are the other values that do not fit, in order of their fields.
	More []FieldProblem
	// Undeclared are all fields of the manifest that the schema does not have, where the schema could be read.
	Undeclared []UndeclaredField
}

func (e *SchemaMismatchError) Error() string { return e.Field + ": " + e.Problem }

// FieldProblem is what is wrong with the value of a field.
type FieldProblem struct{ Field, Problem string }

// MismatchSource says where the value is that does not fit.
type MismatchSource string

// The sources of a value.
const (
	// MismatchInManifest: in what was to be applied.
	MismatchInManifest MismatchSource = "Manifest"
	// MismatchInObject: on the cluster, from before the schema changed.
	MismatchInObject MismatchSource = "Object"
)

// UndeclaredField is a field that the schema of its kind does not have.
type UndeclaredField struct {
	Path string
	// Nearest are the paths of fields that may have been meant, best first.
	Nearest []string
}
