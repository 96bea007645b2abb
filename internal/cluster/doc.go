// Package cluster is the port to a Kubernetes API server: the requests that the provider needs, their options, and
// typed errors. It knows nothing of Terraform and nothing of client-go. Package kube implements it.
package cluster
