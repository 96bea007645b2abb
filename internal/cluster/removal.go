package cluster

// Removal describes how an object is to be deleted.
type Removal struct {
	// UID is the object's; another object of its name is left alone.
	UID         string
	Propagation Propagation
}

// Propagation is what becomes of the objects that an object owns, a Deployment's ReplicaSets for instance,
// in the words of the API server.
type Propagation string

// The ways to delete an object that owns others.
const (
	// Background: the server removes the object at once, and the objects that it owns afterwards.
	Background Propagation = "Background"
	// Foreground: the server removes the object once the objects that it owns are gone.
	Foreground Propagation = "Foreground"
	// Orphan: the objects that it owns stay.
	Orphan Propagation = "Orphan"
)
