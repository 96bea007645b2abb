// Package objectkit holds what k8sconnect_manifest and k8sconnect_patch share: how an object is read, planned, applied,
// imported and deleted. A resource embeds [Resource], and adds its name and its schema. Package model converts its
// attributes.
//
// # Identity
//
// The identity of a resource is apiVersion, kind, namespace, name and cluster_name, as in the import ID. Only
// cluster_name can change while the object stays, because a cluster can get another name. So the resources set
// MutableIdentity. Every response with an object sets the identity. A read that finds the object gone sets it
// too: states of older CLIs have none, and the plugin framework reports an error for a response without one. A
// plan that cannot determine the identity yet leaves it null, not unknown.
//
// # Private state
//
// Private state holds the snapshot, which package serve compresses. The maps of owners and values are attributes,
// which are not compressed. A read that finds the snapshot unchanged does not write it.
//
// # Moved states
//
// A state mover has no connection. It stores the object, the body and the field manager, and a snapshot with the mark
// Moved. The read that follows reads the object: the fields that this field manager owns count as applied by us. So a
// plan with the same body and manager has nothing to do, and a plan with another manager renames the manager. Fields in
// the body of a part that no other manager owns count as added, because no state describes what was there before. If
// the state is of a whole object and this manager has applied nothing, its source wrote by update: then nothing counts
// as applied, and the first apply takes over the managers that the snapshot names. A state without a body gets the body
// that an import would write. The snapshot keeps the mark until our first apply. Until then, a configuration that names
// no field manager does not keep that of the state, and a wrong connection does not delete the object.
//
// # Secrets
//
// In sensitive_fields, the path `*` covers all fields of an object. A top-level field of that name is written
// ["*"]. No state and no plan has the values of yaml_body_wo. Package secrecy keeps them out of diagnostics.
package objectkit
