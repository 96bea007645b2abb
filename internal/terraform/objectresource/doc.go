// Package objectresource answers Terraform's requests for k8sconnect_manifest and k8sconnect_patch: it decodes them,
// lets package objectkit do the work, and encodes the answer. A resource embeds [Resource]:
//
//	type manifestResource struct{ objectresource.Resource }
//
// # Identity
//
// The identity of a resource is apiVersion, kind, namespace, name and cluster_name, as in the import ID. Only
// cluster_name can change while the object stays, because a cluster can get another name. So the resources set
// MutableIdentity. Every response with an object sets the identity. A read that finds the object gone sets it
// too: states of older CLIs have none, and the plugin framework reports an error for a response without one. A
// plan that cannot determine the identity yet leaves it null, not unknown.
package objectresource
