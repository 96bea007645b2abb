// Package record holds what is known of an object between two requests: the claims in its managedFields, the
// snapshot in private state, and the state before a change. It reads objects and rewrites managedFields.
//
// A read calls [Observe], or [Describe] with an object that was read already, and stores the [Snapshot] of the result.
// The plan and the apply that follow start from the [Prior] of the same observation ([PriorOf]).
//
// # Snapshot
//
// Each read and each apply writes a [Snapshot]: the claims of all managers without status, a fingerprint of each value
// that other managers own, the fields that we declared, the digest of their values after our last apply, and the fields
// that our applies released or left to other managers (Kept). Predictions use the snapshot instead of the live object.
//
// If a read finds another uid and nothing that our field manager owns, the snapshot remembers the uid of our last apply
// (Former) until the next apply.
//
// # A provider that is killed
//
// Terraform keeps the old state, and drops the private state. A read without a snapshot assumes that we declare exactly
// the fields that we own now, and makes the next plan apply again. If there were write-only fields, it shows no value
// at all. If the creator of an object was killed, the next plan refuses the object as existing, and reports that no
// other manager owns any of it.
//
// # An object that no manager owns
//
// If its managedFields were reset, or we released all fields that we owned, the API server adds the manager
// before-first-apply at the next apply, and makes it the owner of all fields that the object contains at that time. A
// plan cannot predict these, so the planned owners are unknown. The planned values are known.
package record
