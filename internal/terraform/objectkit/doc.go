// Package objectkit reads, plans, applies and deletes objects for the resources that have one, or many:
//
//	planned := objects.PlanObject(ctx, objectkit.Planning{Plan: plan, State: state, Private: private})
//	applied := objects.UpdateObject(ctx, objectkit.Applying{Plan: plan, State: state, Private: private})
//
// Plan and state are models, which package model makes of attributes. Package objectresource calls it for Terraform's
// requests about one object, and package setresource for each object of a set.
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
