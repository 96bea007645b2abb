// Package intents has what the user asks of one object, and what follows from it for the claims and the body of an
// apply. It is pure: it sends nothing.
//
// # What nobody owns outlives us
//
// Server-side apply prunes the fields that leave our claim. It also prunes each map or list around them of which
// nobody owns anything then, with all that is in it. Released values would go that way. The plan finds such maps
// by the claims, the body and Kept. The apply then removes our fields by a JSON patch that also rewrites
// managedFields, guarded by resourceVersion. If the server refuses what would be left, the map goes as a whole,
// and the plan says so.
//
// # An emptied map or list of a custom resource
//
// If server-side apply removes the last part of a map that anybody owns as a whole, `{}` in our body included, it
// leaves null. Kubernetes 1.36 refuses that (kubernetes/kubernetes#135841 and #117447). The plan then dry-runs
// under another name. The apply empties the field by a JSON patch first, guarded by resourceVersion, if all its
// parts are ours.
//
// # Managers that are ignored
//
// ignore_managers becomes patterns: what the listed managers own of the manifest, by the snapshot. Keys stay with
// list items. An item of which they own all but the keys is theirs as a whole, and so is an atomic field. The
// patterns of the last apply are in private state. If they differ from today's, something is pending.
//
// Claims do not tell what is atomic. So before a pattern is refused because it would ignore a part, there is a
// dry-run of the whole manifest, and the fields that it applies count (Intent.checkIgnorable).
//
// # Pins
//
// A pin is a value that somebody else chose and that we own since. A read puts each value that pin_fields covers into
// the snapshot, and the apply after it pins the value; from then on, the manifest has it (WithPins). So a pin is
// predicted, applied and taken back as any declared field. Values that an apply itself brings into being are claimed by
// one PATCH more; its plan leaves the computed maps to the apply (AddsPins, and new pins in the answer of the dry-run). If others
// wrote since the read, what is new may be theirs and does not count: Terraform's two plans would differ. The next read finds
// it. A pin that the server does not keep is forgotten.
//
// Pins in list items that the manifest does not have come and go with the item: if nobody else owns a part of it, the
// body does not have it, and its values do not count as drift. The pinned value stays in the snapshot. Managers that are
// taken over keep their part of such an item. If the last pin in it ends while others own a part, the item is released with it.
// A pin that is not asked for any more, or that an ignored manager has, is
// released as an ignored field is.
//
// # Lengths of lists
//
// A read puts the entries of each list that list_lengths names into the snapshot, those that were seen first at the front, and
// of those that were seen together the ones whose owners wrote first. So which entries are the newest, and go, does not depend on what others write between Terraform's two plans. A list that the
// last read was not asked to count is counted by its claims, and those whose owners wrote last are the newest. An entry
// that nobody owns does not count then; the next plan counts it. The apply removes entries by one JSON patch after it,
// guarded by resourceVersion; the plan asks the server by a dry-run whether the object stands without them. To
// ownership.Claims.Predict they are list items that leave, so what others lose with them is a conflict.
//
// # stringData
//
// Package manifest reads it as data. Patterns may use either name (PatternsFor). Claims on stringData under our
// name, of whoever applied so, end with the next apply: what our last apply declared is read as data, so that
// something is pending. If data leave the manifest by the same apply, they are claimed by their own name before it
// (Intent.orphanedStringData), or the server would keep them. That costs the two requests of a release, once. If
// somebody else applies stringData, data change without being taken: the drift shows without an owner.
//
// # Write-only values
//
// A write-only value is compared with nothing: Terraform's two plans, and two runs, may see different ones.
// yaml_body_wo_version and the list of its fields say when there is something to apply, and so does drift of their
// digests. In a plan with an update the values are unknown. If others hold such a field, its owner and co_owners
// are unknown too.
package intents
