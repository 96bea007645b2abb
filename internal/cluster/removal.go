package cluster

// Removal says how an object is to be deleted.
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
	// Background: the object goes at once, and what it owns after it.
	Background Propagation = "Background"
	// Foreground: the object goes once what it owns is gone.
	Foreground Propagation = "Foreground"
	// Orphan: what it owns stays.
	Orphan Propagation = "Orphan"
)
