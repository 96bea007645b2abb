// Package patching plans and applies the patches of users that are not server-side apply: JSON, merge and
// strategic merge patches. Package patches computes the result of a patch on an object.
//
// The API server records these writes as updates. They take fields from their owners without a conflict, and the answer
// does not list them. So a plan compares the object with the answer of a dry-run, and an apply is guarded by the
// resourceVersion of the object that its plan has read.
//
// A plan predicts no computed values, because they depend on the live object, which may differ in Terraform's second
// plan. It reports each value that other managers lose.
package patching
