// Package manifestresource is the resource k8sconnect_manifest: one Kubernetes object, applied by server-side
// apply, with the owners of its fields. It has the name and the schema; package objectkit does the rest.
package manifestresource
