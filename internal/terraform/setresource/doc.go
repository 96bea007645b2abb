// Package setresource is the resource k8sconnect_manifests: many objects, of which each is planned and applied as
// k8sconnect_manifest plans and applies its one.
//
// # One engine
//
// A set has no rules of its own for an object. For each entry of manifests it makes the model that a resource
// k8sconnect_manifest would have, and lets [objectkit.Objects] plan, apply, read and delete it. What Terraform keeps
// for such a resource, the set keeps for each entry: the computed attributes and private state; see stored.
//
// What is left to the set is what many objects need: which entry of the state belongs to which entry of the
// configuration, the order, what failures mean for the others, and attributes with the differences alone.
//
// # State
//
// The state has manifests, and of the rest only what is not as it should be. The owners and the values of all fields
// are in private state, which package serve compresses.
package setresource
