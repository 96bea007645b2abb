// Package wanted derives the work of an apply to one object from the arguments, the state and the snapshot of the
// object. It sends nothing.
//
//	w := wanted.For(args, prior)
//	body := w.Body(known, uid)                                   // what the apply sends
//	before := w.BeforeApply(w.Claims(), w.PreviousManager())     // which claims are rewritten before it
//	after := w.AfterApply(claims)                                // and after it
//
// [For] takes the steps of one ordered list, and its result does not change. [Pending] reports whether there is
// anything to apply. A patch that is not server-side apply skips the steps.
//
// # Values that no manager owns are kept
//
// Server-side apply prunes the fields that leave our claim. It also prunes each map or list around them of which no
// manager owns anything then, with all its content. That would remove released values. The plan finds these maps by the
// claims, the body and the kept fields. The apply then removes our fields by a JSON patch that also rewrites
// managedFields, guarded by resourceVersion. If the server refuses the map with the values that would be left, the
// apply removes the whole map, and the plan reports that.
//
// Fields that leave are pruned (the apply removes them) or preserved (they keep their values); see [Wanted].
//
// # Promised fields
//
// If another manager owns a field too that leaves our claim, the server keeps it, and the plan reports that. If that
// manager gives the field up before the apply, the server would prune it. So an apply knows the fields that its plan
// promised to keep ([Promising]), is guarded by the resourceVersion, and releases the promised fields that only we own
// by then.
//
// # An emptied map or list of a custom resource
//
// If server-side apply removes the last part of a map that any manager owns as a whole, `{}` in our body included, it
// leaves null. Kubernetes 1.36 refuses that (kubernetes/kubernetes#135841 and #117447). The plan then dry-runs under
// another name. The apply empties the field by a JSON patch first, guarded by resourceVersion, if all its parts are
// ours.
//
// # Managers that are ignored
//
// ignore_managers becomes patterns for the fields of the manifest that the listed managers own, by the snapshot. Keys
// stay with list items. An item of which they own all but the keys is theirs as a whole, and so is an atomic field. The
// patterns of the last apply are in private state. If they differ from today's, something is pending.
//
// Claims do not show what is atomic. So before the provider refuses a pattern because it would ignore a part of an
// atomic field, it sends a dry-run of the whole manifest and checks the fields in the answer (checkIgnorable in package
// ssa).
//
// # Pins
//
// A pin is a value that another client chose and that we own since. A read puts each value that pin_fields covers into
// the snapshot, and the apply after it pins the value; from then on, the manifest contains it. So a pin is predicted,
// applied and taken back as any declared field. Values that only the apply creates are claimed by one PATCH more; in
// its plan the computed maps are unknown ([Wanted.AddsPins], and new pins in the answer of the dry-run). If other
// clients wrote since the read, new values may be theirs and do not count, because Terraform's two plans would differ.
// The next read finds them. A pin that the server does not keep is forgotten.
//
// Pins in list items that the manifest lacks come and go with the item: if no other manager owns a part of it, the body
// lacks it, and its values do not count as drift. The pinned value stays in the snapshot. Managers that are taken over
// keep their part of this item. If the last pin in it ends while other managers own a part, the item is released with
// it. A pin that pin_fields does not cover any more, or that an ignored manager owns, is released as an ignored field
// is.
//
// # Lengths of lists
//
// A read puts the entries of each list that list_lengths names into the snapshot. A plan counts the entries of the last
// read. If that read did not count a list, the plan counts it by its claims. An unowned entry does not count then; the
// next plan counts it.
//
// # stringData
//
// Package manifest reads it as data. Patterns may use either name ([record.PatternsFor]). Claims on stringData under
// our name end with the next apply, no matter which client made them: a read takes declared stringData as data, so an
// apply is pending. If data leave the manifest by the same apply, they are claimed by their own name before it
// (Wanted.orphanedStringData), or the server would keep them. That costs the two requests of a release, once. If
// another client applies stringData, data change without being taken: the drift shows without an owner.
//
// # Write-only values
//
// Nothing of a write-only value is stored, not even a digest, because Terraform's two plans, and two runs, may see
// different ones. The version and the list of the fields decide whether there is something to apply. So does a field
// that we lost: a write of another value ends our claim, and a removal ends claim and value.
//
// An apply sends the values of the configuration if the version is new or the field is lost. Otherwise something else
// is pending. Server-side apply removes what a body leaves out, so the apply sends the live values
// ([WithLiveWriteOnly]). The first plan has read the object. The plan of an apply reads it once more and leaves it for
// the apply.
//
// In a plan, the values that are sent are unknown. If other managers own one of these fields, its owner and
// co_owners are unknown too.
package wanted
