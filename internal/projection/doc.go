// Package projection reads the values at owned fields: it walks an object and a field set side by side, renders
// values for display with secrets masked, fingerprints them, and splits a body into the fields that ignore
// patterns cover and those they do not. Plain Go in, plain Go out.
//
// # Cost
//
// Nothing costs the square of an object's fields. A Reader reads each list of an object once, where Lookup reads
// the lists on its way for each field. Masked items of a list are recognized in one look.
//
// # Splitting a body
//
// SplitBody walks body and field set side by side. Atomic lists and maps, and the keys of list items, cannot be
// released in part. A pattern that asks for that is a NotIgnorable, with the path to ignore instead.
//
// # Secret values
//
// Secret values are shown as HMAC digests. The key is random for each object, and lives in the object's private
// state. A new object, and one that has just got its first sensitive_fields, has no key while it is planned, so
// those values are known only after the apply.
//
// The key is beside the digests in the state. It keeps digests from being looked up in tables, and from being
// compared across objects. It does not keep somebody who has the state from trying short values one by one.
//
// Paths can hold secrets too: the members of sets, and the keys of list items. Renderer.RedactedPath cuts a path
// before such an item, so that the field which holds the list stands for it in attributes and warnings. Pasted
// into ignore_fields, that text means the list. Private state keeps every item, with a digest instead of its value
// (Renderer.MaskSet). A plan recognizes the items of its own manifest. If an item is still a digest then, it is
// not in the manifest. Positions in sensitive_fields count as [*].
//
// # Messages
//
// Secrets.Scrub removes the secret values of a manifest from a text: as Go and JSON quote them, in base64, and
// bare from 8 bytes on. A value that somebody else wrote is not known. What the server prints of such a value in
// Go syntax is cut.
//
// # Changes that no claim shows
//
// Differences compares an object before and after an apply, leaf by leaf. A plan tells what changes or goes and
// has no owner.
package projection
