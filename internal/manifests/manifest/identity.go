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

// String returns how diagnostics name the object: `Deployment default/web (apps/v1)`. Without a name, it is all objects of the kind:
// `Deployment objects in namespace default (apps/v1)`.
func (i Identity) String() string {
	if i.Name == "" {
		return i.objects()
	}
	name := i.Name
	if i.Namespace != "" {
		name = i.Namespace + "/" + i.Name
	}
	return i.Kind + " " + name + " (" + i.APIVersion + ")"
}

func (i Identity) objects() string {
	text := i.Kind + " objects"
	if i.Namespace != "" {
		text += " in namespace " + i.Namespace
	}
	return text + " (" + i.APIVersion + ")"
}
