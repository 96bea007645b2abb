package manifest

// Identity names one object on one cluster, as its manifest does: metadata.namespace is "" for a
// cluster-scoped object and, before defaulting, for a namespaced one that leaves it out.
type Identity struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
	// Subresource is the part of the object that requests are about; "" for the object without its status.
	Subresource string `json:",omitempty"`
}

// Status is the subresource that has the status of an object.
const Status = "status"

// String returns how diagnostics name the object: `Deployment default/web (apps/v1)`.
func (i Identity) String() string {
	name := i.Name
	if i.Namespace != "" {
		name = i.Namespace + "/" + i.Name
	}
	return i.Kind + " " + name + " (" + i.APIVersion + ")"
}
