// Package refusals says what a refusal by the API server's validation is about: fields that cannot be changed, list items
// that are there twice, maps that others keep half of, pinned values. It returns typed errors that help the user, and
// repairs nothing.
//
// # Immutability
//
// Kubernetes has no status reason for an immutable field. The plan looks for the words that validation and the
// rules of CustomResourceDefinitions share, and only counts 422 answers in which every cause has them. Anything
// else stays an error. The parts that a refusal lists after "other than" or "except" are the ones that may change.
package refusals
