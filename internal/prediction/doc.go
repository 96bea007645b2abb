// Package prediction says what an apply to an object that exists will do, by the answer of a dry-run: the attributes
// after the apply, and the changes that a plan tells. It sends only dry-runs.
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
// In tests, the dry-run's own managedFields and the 409 of an apply without force are the oracle: they are
// compared with the plan and its warning.
//
// # Empty maps and lists in the body
//
// They declare nothing of what others put into them. They have no value in managed_state. If the first writer of a
// part takes one from us, that is no drift. If one is gone, or taken as a whole, that is drift.
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
// # Numbers and size
//
// The server makes 0 of `replicas: 4294967296`. The plan refuses whole numbers that the server would cut.
//
// A dry-run does not reach etcd. So an object over etcd's 1.5 MiB passes the plan and fails the apply. The plan
// warns from 1.5 MiB on. The API server's own limit of 3 MiB is an error of the plan.
//
// Nothing costs the square of an object's fields. TestMembersCostTheSame counts what each list item allocates at
// two lengths of the list.
package prediction
