// Package paths is the language of field paths: the text of a path as the API server prints it, the
// patterns that users write, and how a pattern is matched. It takes and returns plain Go.
//
// A pattern is a sequence of
//
//	spec.replicas              words, separated by dots; one leading dot is allowed
//	["a.b/c"]                  exactly one field or map key; quoted as in Go or JSON
//	[name="app"], [name=app]   the list items whose named keys are equal; all keys, or some of them
//	[="red"], [=red]           the members of a set
//	[0]                        the item at a position
//	[*]                        any one field, map key or list item
//	*                          as the whole text: all fields of the object
//	[{"port":80}]              the list items with exactly these keys, as JSON
//	[==80]                     the set member that equals this JSON value
//
// Words mean every path whose text is the same: annotations.a.b is the annotation "a.b", and also
// the field b of a field a. An unquoted value means every scalar whose text is the same: 80 is the
// number and the string. A pattern covers what it matches and everything below.
//
// The last two forms are not the API server's. Format and Formatter print them only where the API
// server's text would be read as more than one item.
package paths
