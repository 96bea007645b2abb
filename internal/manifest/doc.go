// Package manifest reads Kubernetes manifests: one YAML document, its identity, the import ID that names it, and
// the canonical form that two equal manifests share. It takes and returns plain Go.
//
// # Fields of the server
//
// Some fields of metadata are written by the server alone. Parse drops them where they are empty
// (creationTimestamp: null), and refuses them otherwise. A text that differs from another one only in dropped
// metadata is no change. One that differs in status is a change, and its apply changes nothing: validation does
// not know the cluster, so it cannot tell whether status is a subresource.
//
// # stringData of a Secret
//
// StringDataAsData reads stringData as the data that it becomes, and everything that reads a manifest goes through
// it: the body, a write-only part, bodies in the state, and kubectl's annotation at an import. If stringData were
// applied as it is, the server would move the values into data, record our claim on stringData, where no value is,
// and leave data without an owner. Nobody could conflict with it then, and nothing would remove it. A value that
// is no text stays in stringData, so that its refusal names what the user wrote.
//
// # Identity
//
// An object is identified by apiVersion, kind, namespace and name, as the import ID has them. Nothing is in it
// that changes under an object: no uid, which an object that is created again does not keep, and no connection, since
// the way to a cluster moves and holds credentials. Terraform's identity adds the name of the cluster, if it has one.
//
// # Parsed manifests are not kept
//
// The same text is parsed once to be validated and once to be planned. The second time is under 3 % of what the
// calls for an object cost, and a copy that is kept would hold secrets.
package manifest
