// Package blame reads from managedFields who owns which field of an object: every field with its owners, the managers,
// the fields that are held without a value, the values that no manager holds, and the object as YAML with the owners of
// each line in a comment. Plain Go in, plain Go out.
//
// The data source and the functions show the same [Report], which [Read] returns.
//
//   - A stale field is held by a manager and has no value.
//   - An unowned value is held by no manager.
//   - managedFields do not record which fields are atomic. So a leaf of all claims together counts as whole, with
//     everything below it. A map that a manager holds only as empty looks the same.
//   - A list item without an owner is identified in the same way as its siblings.
//
// Secret values are masked, and not even their digests are shown: a data source keeps nothing from one read to the
// next, so it has no key for digests.
package blame
