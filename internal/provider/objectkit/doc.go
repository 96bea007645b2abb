// Package objectkit is what each resource about an object shares. It decodes models, calls the use cases of ssa, and
// encodes what they return. A resource embeds Resource, and adds its name and its schema.
//
// # Identity
//
// The identity of a resource is apiVersion, kind, namespace and name, as in the import ID. Terraform refuses an
// identity that changes, so nothing is in it that changes under an object. Every answer with an object sets it. A
// read that finds the object gone sets it too: states of older CLIs have none, and the plugin framework makes an
// error of an answer without one. A plan that cannot tell the identity yet leaves it null, not unknown.
//
// # Private state
//
// Private state holds the snapshot, which package serve compresses. The maps of owners and values are attributes, and
// stay as they are. A read that finds the snapshot as it is writes none.
//
// # Moved states
//
// A mover has no connection. It stores the object, the body and the field manager, and a snapshot that says that the
// object has moved. The read that follows looks at the object: what that field manager owns of it counts as
// applied by us, so that a plan with the same body and manager has nothing to do, and another manager is a rename.
// The fields of the body of a part that nobody else has a part in count as added, because no state says what was there before.
// Where that manager has applied nothing to a whole object, its source wrote by update: nothing counts as applied then, and the
// first apply takes over the managers that the snapshot names. A state without a body gets that of an import.
// The snapshot keeps the mark until our first apply: until then a configuration that names no field
// manager asks for a new one, and the object is not deleted for a wrong connection.
//
// # Attributes
//
// Models are read and written as objects. Given a struct, the plugin framework compiles a regular expression for
// each of its tags at each call. An attribute that stays as it is, is not set again, because the framework copies
// the whole object for each attribute of a plan.
//
// # Secrets
//
// `*` as a whole text covers all fields of an object in sensitive_fields. A top-level field of that name is
// written ["*"]. What yaml_body_wo holds is in no state and in no plan. Each operation defers diagnostics.Scrub,
// so that no message has a secret value of the manifest.
package objectkit
