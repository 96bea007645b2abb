// Package manifest reads Kubernetes manifests: one YAML document, its identity, the import ID that names it, and
// the canonical form that two equal manifests share. It takes and returns plain Go.
//
// Call [Parse] with the string of one object, [ParseAll] with a file of several, or [Of] with an object from HCL.
// [ParsePart] reads the fields that a patch applies to an object that is named elsewhere. Errors are an [*Error], which
// contains the line and a suggestion.
//
// # Fields of the server
//
// Some fields of metadata are written by the server alone. Parse drops them if they are empty (creationTimestamp:
// null), and refuses them otherwise. Two strings that differ only in dropped metadata are not a change. If they differ
// in status, that is a change, although its apply may change nothing: validation does not know the cluster, so it
// cannot show whether status is a subresource.
//
// # stringData of a Secret
//
// StringDataAsData reads stringData as the data that it becomes, and everything that reads a manifest goes through it:
// the body, a write-only part, bodies in the state, and kubectl's annotation at an import. If stringData were applied
// as it is, the server would move the values into data, record our claim on stringData, where no value is, and leave
// data without an owner. No manager could conflict with it then, and nothing would remove it. A value that is not a
// string stays in stringData. Its refusal then names the field that the user wrote.
//
// # Identity
//
// An object is identified by apiVersion, kind, namespace and name, as in the import ID. The identity contains nothing
// that can change while the object stays the same: no uid, which changes when the object is created again, and no
// connection, which can change and holds credentials. Terraform's identity adds the name of the cluster, if there is
// one.
//
// # Parsed manifests
//
// A plan parses the same string several times. Parse keeps the manifests of the last strings in the memory of the
// process: 64 to 128 KiB of strings, or the size that [Keep] has set. All callers share them, and no one mutates them.
package manifest
