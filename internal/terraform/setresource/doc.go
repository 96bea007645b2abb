// Package setresource is the resource k8sconnect_manifests: many objects, of which each is planned and applied as
// k8sconnect_manifest plans and applies its one.
//
// # One engine
//
// A set has no rules of its own for an object. For each entry of manifests it makes the model of a resource
// k8sconnect_manifest, and lets [objectkit.Objects] plan, apply, read and delete it. The set keeps for each entry the
// data that Terraform keeps for that resource: the computed attributes and private state; see stored.
//
// The set itself matches the entries of the state to those of the configuration, orders the objects, decides which
// objects are skipped after a failure, and shows attributes with the differences alone.
//
// # State
//
// The state contains the manifests, and of the computed data only the deviations from them. The owners and the values
// of all fields are in private state, which package serve compresses.
package setresource
