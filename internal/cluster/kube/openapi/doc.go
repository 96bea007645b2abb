// Package openapi reads the schema that a server publishes of a kind: [Read], with two GETs, and only after an error,
// or [Folder.Kind], from files that [Export] has made. The [Kind] then lists the faults of a refused body that the
// server does not report: all fields that the schema lacks, with the names that may have been meant, values that the
// server cannot read, and the rules of a CustomResourceDefinition that the body breaks.
//
// # Fields
//
// The server answers 500 for a field that the schema lacks, and names any one of them. So the schema is walked together
// with the body. The suggestions are the nearest names at the same place, or else the same name elsewhere in the kind.
// If a value has the right type but the server cannot read it (a quantity, base64, a fraction), the server names no
// field. The same walk finds it.
//
// # Objects without a server
//
// [Kind.Check] finds all that a schema can tell, with the same walk: paths and messages are those of a plan. A server
// has to refuse every fault that it reports: a false alarm would stop a configuration that works. So it applies only
// those rules of the schemas of built-in kinds that the Go types of the server enforce. Their "required" means that a
// field is not left out when it is written, and their defaults are zero values: a missing struct counts as an empty
// one, and a field whose zero value is valid may be missing. To custom resources, defaults are added first, as the
// server does, and null counts as a missing value.
//
// # Rules
//
// The causes of a refusal do not tell a rule from other validation. So the server's message is compared with the rules
// of the schema, from the root to the field.
package openapi
