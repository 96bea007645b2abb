package cluster

// UnconvertibleError has the details of ReasonUnconvertible. Every apply to the object fails as long as its
// managedFields have an entry in such a version, and every other write makes the server forget all owners.
type UnconvertibleError struct {
	// Version is the API version; "" if the server does not name it.
	Version string
	// IsOwn is true if it is the version of the last apply by the manager of the request.
	IsOwn bool
	// Problem is what the server says of it: that it does not serve the version, or which field does not fit its
	// schema.
	Problem string
}

func (e *UnconvertibleError) Error() string { return e.Problem }
