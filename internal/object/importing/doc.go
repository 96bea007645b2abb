// Package importing takes over an object that was not created here: [Import] reads it and writes a manifest for it,
// [ImportPart] the part that one manager owns, and [ImportApplied] the manifest that one manager has applied.
//
// # What the manifest holds
//
// yaml_body of an imported object holds the fields of kubectl's last-applied annotation. Without that annotation
// it holds the fields that managers other than controllers own, with their live values, and the replicas that people
// have set, which the server records like those of an autoscaler.
//
// A manager with operation Update owns the fields that the server filled in as well as those that its user wrote. The
// import tells the two apart by dry-run creates of the object under another name, without the doubtful fields. If the
// server requires a field, the import puts it back. If the server fills a field in with the same value, the value was a
// default.
//
// The keys of list items are always written, regardless of owners and defaults. If the annotation leaves a key to its
// default and several items of the object match, a dry-run of the annotation shows which one it is.
//
// If no person or tool owns any of the object's content, it all counts as written by one. Defaults inside an optional
// part stay, because the dry-run leaves out the whole part. All defaults stay if the server refuses the dry-runs.
//
// List items with the same keys as an earlier one are left out: the server would refuse them in the manifest. Comments
// name them, and fields of other versions of the kind that the object does not have in this one.
//
// The string is JSON, which is YAML. Terraform renders generated JSON as a readable jsonencode({...}), and other
// multi-line strings on one line; a manifest with comments, too.
package importing
