// Package paths is the language of field paths: how the API server prints a path, the patterns that users write, and
// how a pattern is matched. It takes and returns plain Go.
//
// [Parse] reads a pattern that a user wrote, [Pattern.Match] compares it with a [Path], and a [Cursor] matches many
// patterns while an object is walked. [Format] prints a path, a [Formatter] the paths of one object.
//
// A pattern is a sequence of
//
//	spec.replicas              words, separated by dots; one leading dot is allowed
//	["a.b/c"]                  exactly one field or map key; quoted as in Go or JSON
//	[name="app"], [name=app]   the list items whose named keys are equal; all keys, or some of them
//	[="red"], [=red]           the members of a set
//	[0]                        the item at a position
//	[*]                        any one field, map key or list item
//	*                          as the whole string: all fields of the object
//	[{"port":80}]              the list items with exactly these keys, as JSON
//	[==80]                     the set member that equals this JSON value
//
// Words mean every path that prints as the same string: annotations.a.b is the annotation "a.b", and also the field b
// of a field a. An unquoted value means every scalar that prints the same: 80 is the number and the string. A pattern
// covers the fields that it matches and everything below. A top-level field with the name * is written ["*"].
//
// The last two forms are not the API server's. Format and Formatter print them only if the API server's form matches
// more than one item.
//
// # Strings round-trip
//
// A path that an attribute, a warning or a conflict of the API prints can be pasted into ignore_fields. It matches
// that field and no other. Terraform normalizes every string, so names that are not in Unicode's normal form C are
// quoted, with escapes.
//
// Paths that print as the same string are rare, and finding them costs more than printing them. So a Formatter first
// makes one pass over the names to check whether two paths of an object could print as the same string. Only then does
// it compare all of them. The fuzz test checks that both ways give the same strings. Paths come in order, so a
// formatter reuses the string of the previous path.
//
// # Matching
//
// A Cursor matches patterns over path elements and over plain objects alike. A cursor with many patterns indexes them
// by the elements that their next step can match. So a step checks only the patterns that it may match.
//
// # Set algebra
//
// Path, PathElement and Set are those of structured-merge-diff. One file of this package imports it, and no other file
// of the module does. A new major version of the library changes only that file.
package paths
