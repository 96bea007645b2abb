// Package patches reads the patches that users write for an object that another client created, and computes their
// result: a JSON patch (RFC 6902), a JSON merge patch (RFC 7386) or a strategic merge patch. It takes and returns plain
// Go.
//
// # In effect
//
// A patch of a resource is applied again and again, so it has to describe a state, not a step. A patch is in effect if
// it changes nothing. [Patch.Apply] accepts a patch only if it is in effect on its own result: it applies each patch
// that changes something a second time. For any other patch it returns an error: its plan would never become empty.
// [Parse] refuses what cannot be stable on any object: a move, an item at the end of a list, a copy within itself.
//
// An operation that inserts an item in a list is judged by its result. It is in effect if the item is at its position.
// That is only clear for scalars: the server fills in defaults of an item that is a map, and other managers change it,
// so it is not known whether it is there. An item at another position is an error too, because the server would insert
// a second one.
//
// A removal of a missing field is in effect. The API server would refuse it in a JSON patch, and create the map around
// it in a merge patch, so Result.Body does not contain it.
//
// # What only the server knows
//
// Apply does not use the schema of the server. Numbers are compared as JSON (1 is 1.0), and a field that is null is a
// field that is missing. Defaults, other spellings of a quantity, and a map that the server drops since it is empty
// look like changes. If a patch is in effect here, it is in effect on the server. If it is not, a dry-run of
// Result.Body decides: [Fields] compares the Before of its answer with that of the object.
//
// # The API server's own code
//
// The changes are made by the API server's own code: json-patch.v4 for JSON and merge patches, and apimachinery's
// strategicpatch with the Go types of client-go's scheme. The tests in internal/test/patching compare the results with
// a real server's.
//
// That code does some things that no user can have meant. A replace or copy of a missing field writes a value, so Apply
// refuses it. If a map is missing, "$patch": "replace" drops the value that it comes with, and other directives become
// fields. A null in a map that is replaced becomes an empty string. So Result.Body does not contain them there. Items
// are deleted from a list and added to it in no defined order, so Parse refuses what depends on the order.
//
// # Secret values
//
// No error message contains a value of the body or of the object. A [TestFailedError] holds both values in its fields.
package patches
