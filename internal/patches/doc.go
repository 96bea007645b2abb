// Package patches reads the patches that users write of an object which somebody else created, and works out what
// they make of that object: a JSON patch (RFC 6902), a JSON merge patch (RFC 7386) or a strategic merge patch. It takes
// and returns plain Go.
//
// # In effect
//
// A patch of a resource is applied again and again, so it has to describe a state, not a step. A patch is in effect if
// it changes nothing. Apply accepts a patch only if it is in effect on its own result: it applies each patch that
// changes something a second time. Everything else is an error with an UnstableError, and not a plan that never becomes
// empty. Parse refuses what cannot be stable on any object: a move, an item at the end of a list, a copy within itself.
//
// An operation that puts an item into a list is judged by its result. It is in effect if the item is at its position.
// That is only clear for scalars: the server fills in defaults of an item that is a map, and others change it, so
// nothing tells whether it is there. An item that is there at another position is an error too, because a second one
// would be inserted.
//
// A removal of what is missing is in effect. The API server would refuse it, so Result.Body does not have it.
//
// # What only the server knows
//
// Apply has no schema of the server. Numbers are compared as JSON (1 is 1.0), and a field that is null is a field that is
// missing. Defaults, and other spellings of a quantity, look like changes. If a patch is in effect here, it is in effect
// on the server. If it is not, a dry-run of Result.Body has the last word; Fields compares its answer with the object.
//
// # The API server's own code
//
// The changes are made by the code that the API server itself runs: json-patch.v4 for JSON and merge patches, and
// apimachinery's strategicpatch with the Go types of client-go's scheme. Where that code does something that nobody can
// have meant, Apply returns an error: a replace or copy of what is missing writes a value, and "$patch": "replace" drops
// the value that it comes with if there is nothing to replace.
//
// # Secret values
//
// No text of an error has a value of the body or of the object. A TestFailedError has both values in its fields.
package patches
