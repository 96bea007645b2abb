// Package prediction predicts what an apply to an existing object will do, from the answer of a dry-run: the attributes
// after the apply, and the changes that a plan reports. It is pure: it sends nothing.
//
//	planned, changes := prediction.Inputs{Wanted: w, Body: body, Result: answer, Applied: applied}.PlannedState()
//
// # Predictions
//
// Terraform plans every change twice: for the plan, and again while it applies, in another process. The second plan
// starts from the same prior state and private state, but does not know the result of the first plan. If a known value
// comes out differently the second time, the apply fails. A prediction that reads the live object would differ whenever
// a controller writes in between. So a prediction is a pure function of the refreshed state, the snapshot in private
// state, the configuration, and the part of a dry-run's answer that concerns our body.
//
//   - Each read and each apply writes a snapshot, see [record.Snapshot].
//   - A forced dry-run apply with strict field validation shows how the server stores our body: the field set of our
//     entry in the answer, and the canonical values of these fields. Both depend on the body and the schema, and not on
//     other managers. Known values use nothing else of the answer. Warnings do.
//   - [ownership.Claims.Predict] joins the two.
//
// The dry-run sends what the apply will send. A dry-run cannot rewrite managedFields. So fields that will be released
// are sent with the values of our last apply, under our own name, and are subtracted from the answer. If the apply also
// rewrites claims of other managers, the dry-run uses the name of another manager instead, which removes nothing. A
// second dry-run, of a merge patch, then asks whether the server accepts the object without the fields that the apply
// removes.
//
// In tests, the dry-run's own managedFields and the 409 of an apply without force are the oracle: they are
// compared with the plan and its warning.
//
// # Empty maps and lists in the body
//
// An empty map or list does not declare that it stays empty: other managers may set fields in it. It has no value in
// managed_state. If the first writer of a part takes it from us, that is not drift. If it is removed, or another
// manager takes it as a whole, that is drift.
//
// An apply shares an empty map with its other owners if the live one contains anything, and takes it from them if the
// live one is gone. The last read decides that, not the answer, which also shows later writes. If no manager owns the
// content, the owners of the map are known only after the apply.
//
// # What a plan reports
//
// The attributes show every change of owner. The one warning of an object reports the changes that a person should
// know. [ownership.Transition] lists the sixteen things that can happen to a field, and [ownership.Outcome] which of
// them are worth a warning.
//
// No attribute shows some changes: unowned values, defaults that are removed with a probe, fields that an adoption
// removes. run.Objects holds each object that a run has read until it is planned. The plan compares the object
// with the dry-run's answer, and reports each leaf that is changed or removed and that neither an attribute nor another
// line shows. That costs no request. A plan without a refresh has nothing to compare with, and neither has Terraform's
// second plan.
//
// Fields of other managers that are removed with a list item of ours, or with a map that a value replaces, are in no
// 409. They still count as conflicts. The provider has no schema, so it compares kinds of values; Snapshot.Kinds
// distinguishes long maps from long strings.
//
// If managers wrote in another version of the kind, the claims in the dry-run's answer show what they lose, and each of
// our values that changes conflicts with them. The owners after that apply are unknown. An apply that changes the
// version of our claim shows them as predicted, unless an answer about the object as it was read contradicts that.
//
// # Conflicts
//
// Conflicts are the changes of values that other managers hold. With on_conflict = "fail" the plan fails with them, and
// the apply is sent without force. So a conflict that is newer than the plan fails the apply. Otherwise the plan
// reports them, with the ignore_fields line that avoids them.
//
// [record.RepeatedConflicts] counts in private state how often in a row we had to take a field back from the same
// manager. Refreshes keep the count. The first apply that has nothing to take back ends it.
//
// # Numbers and size
//
// The server stores `replicas: 4294967296` as 0. The plan refuses whole numbers that the server would cut.
//
// A dry-run does not reach etcd. So an object over etcd's 1.5 MiB passes the plan and fails the apply. The plan
// warns from 1.5 MiB on. The API server's own limit of 3 MiB is an error of the plan.
//
// No cost grows with the square of an object's fields. TestMembersCostTheSame in package ssa counts what each
// list item allocates at two lengths of the list.
package prediction
