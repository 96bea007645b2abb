// Package cluster is the port to a Kubernetes API server. A use case takes an [Interface], which package kube
// implements, and calls [Locate] first, which completes the identity of an object; then [Get], [Create], [ListAll] or a
// method of the Interface. It knows nothing of Terraform and nothing of client-go.
//
// Each failure is an *Error with a Reason. Details contains more about some reasons, in a type for each of them:
// errors.As finds *KindNotServedError, *InvalidError and the others in an *Error and in errors that wrap it.
package cluster
