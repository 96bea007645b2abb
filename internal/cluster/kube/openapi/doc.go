// Package openapi reads the schema that a server publishes of a kind: [Read], with two GETs, and only after an error,
// or [Folder.Kind], from what [Export] has read. The [Kind] then tells about a refused body what the server does not
// say: all fields that the schema lacks, with the names that may have been meant, values that the server cannot read,
// and the rules of a CustomResourceDefinition that the body breaks.
//
// # Fields
//
// The server answers 500 for a field that the schema lacks, and names any one of them. So the schema is walked beside
// the body. The suggestions are the nearest names at the same place, or else the same name elsewhere in the kind. If a
// value has the right type but the server cannot read it (a quantity, base64, a fraction), the server names no field.
// The same walk finds it.
//
// # Objects without a server
//
// [Kind.Check] finds all that a schema can tell, with the same walk, so that paths and words are those of a plan. What
// it finds, a server has to refuse: a false alarm would stop a configuration that works. So it takes from the schemas
// of built-in kinds only what the Go types of the server enforce. Their "required" means that a field is not left out
// when it is written, and their defaults are zero values: a struct that is missing is an empty one, and a field whose
// zero value is valid may be missing. To custom resources, defaults are added first, as the server does, and null is no
// value.
//
// # Rules
//
// The causes of a refusal do not tell a rule from other validation. So the server's message is compared with the rules
// of the schema, from the root to the field.
package openapi
