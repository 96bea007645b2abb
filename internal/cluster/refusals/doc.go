// Package refusals reads the words of a refusal by the API server's validation. It is pure.
//
//	if refusals.Immutable(err) != nil { ... }          // a change of an immutable field
//	if refusals.Refuses(err, field) { ... }            // about a field, or a part of it
//	if refusals.Passing(message, namespace) != nil { ... } // what may pass without a change
//	if refusals.MissingRight(message) != nil { ... } // what no role of the user grants
//	for _, field := range refusals.Emptied(err, own)   // maps that the apply would make null
//	err := refusals.CutNumbers(id, body, result, own) // what the server would cut and does not refuse
//
// # Immutability
//
// Kubernetes has no status reason for an immutable field. [Immutable] looks for words of validation and of the rules of
// CustomResourceDefinitions, and only counts 422 answers in which every cause contains them. Anything else
// stays an error. The parts that a refusal lists after "other than" or "except" are the ones that may change.
package refusals
