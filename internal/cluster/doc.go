// Package cluster is the port to a Kubernetes API server: the requests that the provider needs, their options, and
// typed errors. It knows nothing of Terraform and nothing of client-go. Package kube implements it.
//
// Each failure is an *Error with a Reason. Details has more about some reasons, in a type for each of them: errors.As
// finds *KindNotServedError, *InvalidError and the others in an *Error and in what wraps it.
package cluster
