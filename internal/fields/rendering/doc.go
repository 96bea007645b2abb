// Package rendering converts the values and the paths of one object to the form that attributes, warnings and private
// state show: strings and fingerprints, with digests instead of secret values. It also removes secret values from the
// messages of controllers.
//
// Make one [Renderer] for each object: [Renderer.Text] is the string of one value, [Renderer.State] the attribute
// managed_state, and [Renderer.Fingerprints] the values in private state. [Renderer.Secrets] gives the [Secrets] whose
// Scrub cleans a message.
//
// Masked items of a list are recognized in one pass: the time must not grow with the square of the number of an
// object's fields.
//
// # Secret values
//
// Secret values are shown as HMAC digests. The key is random for each object, and lives in the object's private state.
// The key does not exist yet in the plan of a new object, and of one that gets its first sensitive_fields, so those
// values are known only after the apply.
//
// The state contains the key next to the digests. The key keeps digests from being looked up in tables, and from being
// compared across objects. It does not keep a reader of the state from trying short values one by one. So write-only
// values, and everything that contains one, are shown as Unstored and have one fingerprint. Members of sets and keys of
// list items are the exception: claims tell them apart by their digests.
//
// Annotations and labels can contain secret values: kubectl and other tools keep a copy of the object. CopiesIn finds
// them by their names and by their content. A record remembers them, because Terraform's two plans have to show them
// alike. Annotations and labels that our own manifest declares do not count unless the manifest itself contains the
// secret: the configuration shows them anyway. Fields outside metadata are not searched.
//
// Paths can hold secrets too: the members of sets, and the keys of list items. Renderer.RedactedPath cuts a path before
// the item: attributes and warnings show the field of the list instead. Pasted into ignore_fields, that string means
// the list. Private state keeps every item, with a digest instead of its value (Renderer.MaskSet). A plan recognizes
// the items of its own manifest. If an item is still a digest then, it is not in the manifest. Positions in
// sensitive_fields count as [*], and so does a selector by a field that is not a key of the list.
//
// # Messages
//
// Of the messages of the API server and of admission about an object with secret values, only the fields are shown:
// Field cuts those that can hold a value. Secrets.Scrub removes the values that are known to be secret from the
// messages of controllers and containers: plain, in base64 and escaped as in JSON. It does not know parts of values,
// hashes, or values that were reversed.
package rendering
