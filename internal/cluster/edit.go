package cluster

// Edit sets the value of one field of an object.
type Edit struct {
	// Pointer are the steps of a JSON pointer to the field, not escaped.
	Pointer []string
	Value   any
}
