package moving

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Moved is what the state of another provider's resource says.
type Moved struct {
	// Object is what the resource applied to. Without a namespace it is cluster-scoped, or in the namespace default.
	Object manifest.Identity
	// Body is what the resource applied, as YAML: a manifest, or fields without identity where it applied part of an object. It is
	// "" where the state cannot tell; the read that follows writes it then, as an import does.
	Body string
	// Typed is Body as the resource has it: a value with its type, as a state has both; nil where the resource has a text.
	Typed json.RawMessage
	// FieldManager applied them.
	FieldManager string
	// Updaters are the managers under which the resource wrote to the object by update.
	Updaters []string
	// Settings are the arguments that have an equivalent here.
	Settings Settings
	// Untranslated are paths of fields that the resource ignored, and that have no equivalent.
	Untranslated []string
}

// Settings are arguments of a resource whose objects are moved. The zero value of a field says nothing.
type Settings struct {
	IgnoreFields, SensitiveFields []string
	// Protected and ForceDestroy are nil where the resource does not say.
	Protected, ForceDestroy *bool
	// KeepsObject says that a destroy left the object.
	KeepsObject bool
	// Propagation is what a deletion does to dependents, in the API server's words.
	Propagation string
	// Timeouts are durations of operations, by name.
	Timeouts map[string]string
	// Cluster is the connection of the resource's own.
	Cluster *Connection
}

// State is the state of a resource, with what Terraform says of its origin.
type State struct {
	// Provider is the address of the provider, TypeName the type of the resource.
	Provider, TypeName string
	// SchemaVersion is the version of the schema that JSON was written with.
	SchemaVersion int64
	JSON          []byte
	// Identity is the identity of the resource as JSON; nil where the CLI passes none.
	Identity []byte
}

// Source is a type of resource whose states can be read, or several that are read alike.
type Source struct {
	// Provider is the namespace and the type of its provider, TypeName its own.
	Provider, TypeName string
	// IsType says which types are meant where they are several; TypeName describes them then.
	IsType func(typeName string) bool
	// SchemaVersion is the newest version of its schema that Read knows.
	SchemaVersion int64
	// Read decodes a state.
	Read func(source State) (Moved, error)
}

// reads reports whether a state is of the source.
func (s Source) reads(state State) bool {
	isType := state.TypeName == s.TypeName
	if s.IsType != nil {
		isType = s.IsType(state.TypeName)
	}
	return isType && isProvider(state.Provider, s.Provider)
}

// Sources are all that one resource reads.
type Sources []Source

// Read returns what a state says. A state that is of none of the sources, or is not of the form that its source writes, is
// an *Error.
func (s Sources) Read(state State) (Moved, error) {
	at := slices.IndexFunc(s, func(source Source) bool { return source.reads(state) })
	if at < 0 {
		return Moved{}, s.refuse(state, unaccepted(state))
	}
	source := s[at]
	if state.SchemaVersion > source.SchemaVersion {
		return Moved{}, s.refuse(state, fmt.Sprintf("its state has version %d of its schema, and this version of the provider reads none after %d",
			state.SchemaVersion, source.SchemaVersion))
	}
	moved, err := source.Read(state)
	if err != nil {
		return Moved{}, s.refuse(state, "its state is not of the form that is expected: "+err.Error())
	}
	if problem := moved.Object.Problem(); problem != "" {
		return Moved{}, s.refuse(state, "its state is not of the form that is expected: "+problem)
	}
	return moved, nil
}

// unaccepted says why a state is of none of the sources.
func unaccepted(state State) string {
	if reason, has := notObjects[state.TypeName]; has && isProvider(state.Provider, hashicorpKubernetes) {
		return reason
	}
	return fmt.Sprintf("%s of the provider %s is not among the resources that can be moved here", state.TypeName, state.Provider)
}

func (s Sources) refuse(state State, problem string) *Error {
	accepted := make([]string, len(s))
	for i, source := range s {
		accepted[i] = source.TypeName
		if i == 0 || s[i-1].Provider != source.Provider {
			accepted[i] = source.Provider + ": " + source.TypeName
		}
	}
	return &Error{TypeName: state.TypeName, Problem: problem, Accepted: strings.Join(accepted, ", ")}
}

// Error is a state that cannot be moved.
type Error struct {
	// TypeName is the type of the resource.
	TypeName string
	// Problem says why.
	Problem string
	// Accepted lists the sources by their providers.
	Accepted string
}

func (e *Error) Error() string { return e.TypeName + ": " + e.Problem }

// isProvider reports whether an address is of the provider with this namespace and type. An address may lack its host, or
// its host and its namespace.
func isProvider(address, namespaceAndType string) bool {
	parts, wanted := strings.Split(address, "/"), strings.Split(namespaceAndType, "/")
	if len(parts) > len(wanted)+1 {
		return false
	}
	if len(parts) > len(wanted) {
		parts = parts[1:]
	}
	return slices.Equal(parts, wanted[len(wanted)-len(parts):])
}
