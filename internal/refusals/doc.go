// Package refusals says what a refusal by the API server's validation is about: fields that cannot be changed, list items
// that are there twice, maps that others keep half of, pinned values. It makes typed errors of what helps the user, and
// mends nothing.
//
// # Immutability
//
// Kubernetes has no status reason for it. The plan goes by the words that validation and the rules of
// CustomResourceDefinitions share, and only for 422 answers whose causes all say so. Anything else stays an error.
// The parts that a refusal lists after "other than" or "except" are the ones that may change.
package refusals
