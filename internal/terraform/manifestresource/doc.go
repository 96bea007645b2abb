// Package manifestresource is the resource k8sconnect_manifest: one Kubernetes object, applied by server-side apply,
// with the owners of its fields. This package contains the name and the schema; package objectresource does the rest.
package manifestresource
