// Package rendering shows the values and the paths of one object as attributes, warnings and private state have them:
// as strings and fingerprints, and with digests instead of secret values. It also removes secret values from
// what controllers say.
//
// Make one [Renderer] for each object: [Renderer.Text] is the string of one value, [Renderer.State] the attribute
// managed_state, and [Renderer.Fingerprints] what private state has. [Renderer.Secrets] gives the [Secrets] whose
// Scrub cleans a message.
//
// Masked items of a list are recognized in one pass, so that the time does not grow with the square of the number of an
// object's fields.
//
// # Secret values
//
// Secret values are shown as HMAC digests. The key is random for each object, and lives in the object's private
// state. A new object, and one that has just got its first sensitive_fields, has no key while it is planned, so
// those values are known only after the apply.
//
// The state has the key next to the digests. The key keeps digests from being looked up in tables, and from being
// compared across objects. It does not keep a reader of the state from trying short values one by one. So
// write-only values, and everything that contains one, are shown as Unstored and have one fingerprint. Members of sets
// and keys of list items are the exception: claims tell them apart by their digests.
//
// Annotations and labels can contain secret values: kubectl and other tools keep a copy of the object. CopiesIn finds
// them by their names and by what they contain. A record remembers which they are, so that Terraform's two plans show
// them alike. What our own manifest declares does not count unless the manifest itself has the secret: it is in the
// configuration as it is. Fields outside metadata are not searched.
//
// Paths can hold secrets too: the members of sets, and the keys of list items. Renderer.RedactedPath cuts a path before
// the item, so that attributes and warnings show the field which holds the list instead. Pasted into ignore_fields,
// that string means the list. Private state keeps every item, with a digest instead of its value (Renderer.MaskSet). A
// plan recognizes the items of its own manifest. If an item is still a digest then, it is not in the manifest.
// Positions in sensitive_fields count as [*].
//
// # Messages
//
// Of what the API server and admission say of an object with secret values, nothing is shown but the fields: Field cuts
// those that can hold a value. Secrets.Scrub removes the values that are known to be secret from what controllers and
// containers say: plain, in base64 and as JSON escapes them. It does not know parts of values, hashes, or values that
// were reversed.
package rendering
