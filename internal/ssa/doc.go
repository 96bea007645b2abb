// Package ssa plans and applies one object by server-side apply. It talks to a server through cluster.Interface, knows
// nothing of Terraform, and returns typed errors.
//
// # Predictions
//
// Terraform plans every change twice: for the plan, and again while it applies, in another process. The second
// plan has the same prior state and private state, but not the result of the first plan. If a known value comes
// out differently the second time, the apply fails. A prediction that reads the live object would differ whenever
// a controller writes in between. So a prediction is a pure function of the refreshed state, the snapshot in
// private state, the configuration, and what the server makes of our body.
//
//   - Each read and each apply writes a snapshot; see package record.
//   - A forced dry-run apply with strict field validation tells what the server makes of our body: the field set
//     of our entry in the answer, and the canonical values at it. Both depend on the body and the schema, and not
//     on other managers. Known values use nothing else of the answer. Warnings do.
//   - ownership.Claims.Predict joins the two.
//
// The dry-run is of what the apply will send. A dry-run cannot rewrite managedFields. So fields that will be
// released are sent with the values of our last apply, under our own name, and are subtracted from the answer.
// Only if the apply also rewrites claims of others, the dry-run goes under another name, which removes nothing. A
// second dry-run, of a merge patch, then asks whether the object stands without what the apply removes.
//
// If the server refuses an apply, a repair may help. The plan and the apply have one list of repairs, so that the
// plan asks for what the apply does.
//
// In tests, the dry-run's own managedFields and the 409 of an apply without force are the oracle: they are
// compared with the plan and its warning.
//
// # Create
//
// The dry-run's 201 says that the object is new. A 200 is an error with the import block to write. The same check
// in the second plan guards the apply. If the kind is missing (of a group that CustomResourceDefinitions can add
// to) or the namespace is missing, the computed values are unknown, and the create waits for it up to its timeout.
//
// # Update
//
// If the body, ignore_fields, the field manager, our claim and the declared values are as our last apply left
// them, nothing is Pending: the plan is the prior state, and nothing is sent. A change of identity plans a
// replacement, and so does a change that the server refuses as immutable.
//
// # A schema that changed
//
// A CustomResourceDefinition may make a list or map atomic under objects that exist, or split it. Package
// ownership says what that does to claims. If parts leave the body in the apply that splits our claim, they would
// stay without an owner. The apply then removes them, with a dry-run and two PATCHes more.
//
// # An emptied map or list of a custom resource
//
// If server-side apply removes the last part of a map that anybody owns as a whole, `{}` in our body included, it
// leaves null. Kubernetes 1.36 refuses that (kubernetes/kubernetes#135841 and #117447). The plan then dry-runs
// under another name. The apply empties the field by a JSON patch first, guarded by resourceVersion, if all its
// parts are ours.
//
// # What nobody owns outlives us
//
// Server-side apply prunes the fields that leave our claim. It also prunes each map or list around them of which
// nobody owns anything then, with all that is in it. Released values would go that way. The plan finds such maps
// by the claims, the body and Kept. The apply then removes our fields by a JSON patch that also rewrites
// managedFields, guarded by resourceVersion. If the server refuses what would be left, the map goes as a whole,
// and the plan says so.
//
// # Empty maps and lists in the body
//
// They declare nothing of what others put into them. They have no value in managed_state. If the first writer of a
// part takes one from us, that is no drift. If one is gone, or taken as a whole, that is drift.
//
// # Replacement
//
// Terraform plans the new object with a null prior state while the old one still stands, and passes on the private
// state of the first plan. A snapshot there says which uid may stand in the way. The computed values are then
// unknown.
//
// # What a plan tells
//
// The attributes show every change of owner. The one warning of an object says what a person should know. Package
// ownership names the sixteen things that can happen to a field, and says which of them are worth a warning.
//
// No attribute shows some changes: values without an owner, defaults that go with a probe, what an adoption
// removes. Sightings hold what a run has read until it is planned. The plan compares it with the dry-run's answer,
// and tells each leaf that changes or goes and that neither an attribute nor another line shows. It costs no
// request. A plan without a refresh has nothing to compare with, and neither has Terraform's second plan.
//
// What goes with a list item of ours, or with a map that a value replaces, is in no 409. It counts as a conflict
// all the same. Without a schema, values conflict by kind; Snapshot.Kinds tells long maps from long texts.
//
// If managers wrote in another version of the kind, the claims in the dry-run's answer tell what they lose, and
// each of our values that changes is a conflict with them. The owners after such an apply are unknown.
//
// # Conflicts
//
// Conflicts are the changes that fall to the value of another manager. With on_conflict = "fail" the plan ends
// with them, and the apply goes without force, so that a conflict which is newer than the plan fails the apply.
// Otherwise the plan tells them, with the ignore_fields line that avoids them.
//
// RepeatedConflicts counts in private state how often in a row we had to take a field back from the same manager.
// Refreshes keep the count. The first apply that has nothing to take back ends it.
//
// # Adoption
//
// Without a state, a prediction has nothing to be founded on that would still hold in Terraform's second plan. So
// with adopt_existing the computed values are known only after the apply. That is so for new objects too, because
// an object may come into being before the apply. The plan reads the object, plans an update of it, and shows what
// that foresees as warnings. The apply may do something else.
//
// # Credentials that ended
//
// Terraform refreshes with the connection that the state holds. If that is the resource's own, and its credentials
// are not accepted any more, the read keeps the state and notes Outdated in the snapshot.
//
//   - With the connection of the state, the plan ends in an error. So does a deletion, which Terraform runs with
//     the connection of the state.
//   - With another connection, the plan reads the object. Refusals and texts go by what it sees. Known values go
//     by the state and its snapshot, which both plans have. The first plan leaves values unknown where drift
//     matters. The second plan hands what it saw to the apply in its private state. Owners that the state cannot
//     show wait in Snapshot.Unshown for the next plan.
//   - If the object is gone, the plan is a replacement whose private state says Gone, so that its deletion sends
//     nothing.
//
// # The namespace of the state
//
// It stays unless the body or cluster.namespace says otherwise, whatever the context of the kubeconfig is.
//
// # Numbers and size
//
// The server makes 0 of `replicas: 4294967296`. The plan refuses whole numbers that the server would cut.
//
// A dry-run does not reach etcd. So an object over etcd's 1.5 MiB passes the plan and fails the apply. The plan
// warns from 1.5 MiB on. The API server's own limit of 3 MiB is an error of the plan.
//
// Nothing costs the square of an object's fields. TestMembersCostTheSame counts what each list item allocates at
// two lengths of the list.
//
// # Immutability
//
// Kubernetes has no status reason for it. The plan goes by the words that validation and the rules of
// CustomResourceDefinitions share, and only for 422 answers whose causes all say so. Anything else stays an error.
// The parts that a refusal lists after "other than" or "except" are the ones that may change.
//
// # Apply
//
// The PATCH carries the uid of the planned object, so an object that was created again is never overwritten
// unseen.
//
//   - A plan that takes nothing is applied without force first. A 409 is news of a write since the plan. It
//     becomes a warning with field and manager, and the forced PATCH follows.
//   - A plan that takes fields would conflict in any case. It is forced at once, on the resourceVersion that the
//     plan knows. A 409 costs a GET, which tells what others wrote since, and the PATCH is forced on that.
//
// The planned values go into the state. The truth goes into the snapshot.
//
// # Lost answers
//
// The apply that creates an object cannot be sent twice. If its answer is lost, a GET tells: if the object is
// there with our claim, it was created; otherwise the create is tried again. If the GET gets no answer either, the
// object is in the state without a uid, and Terraform marks it as tainted. The next read keeps it only if our
// field manager has applied to it.
//
// # How claims are rewritten
//
// Package ownership has the edit. To send it, a JSON patch also sets resourceVersion. If somebody wrote in
// between, the server refuses the patch with a typed 409; then the object is read and the edit tried again.
//
//   - A release and a new name of the field manager go before the apply.
//   - A take-over goes after the apply, because the apply is what brings before-first-apply into being. But if a
//     field leaves the body, the other managers lose it before the apply, which removes only what nobody else
//     holds.
//   - If the server refuses what would be left of a whole, half a probe for instance, the other managers lose all
//     of it, and the apply is repeated. What the refusal does not name keeps what kubectl put into it.
//   - An import applied nothing, and renames nothing.
//   - At create, ignored fields are sent once, as initial values, and released by one more request.
//
// The dry-run of a plan that rewrites claims runs under the name of another manager (dryRunManager). Under our own
// name it would remove the fields, and the server refuses that for required ones. A manager that owns nothing
// removes nothing. If a body does not fit the live object as long as nothing is removed, as another member of a
// union does, the dry-run is of a new object.
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
package ssa
