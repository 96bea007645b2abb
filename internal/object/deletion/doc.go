// Package deletion ends the management of an object by a resource: [Delete] deletes the object, [RemoveFinalizers]
// removes the finalizers that hold it, and [Leave] gives up our claims and leaves it.
//
// # Deletion
//
// An object counts as gone only if the API server itself reports it. Package kube decides that. If a deletion takes
// longer than timeouts.delete, the error has ReasonDeletionBlocked, with the details that the object itself contains.
//
// force_destroy continues from there, with a minute of its own. A JSON patch removes metadata.finalizers, guarded by
// resourceVersion. No client can add a finalizer back, because the server refuses new ones on an object that is being
// deleted. Some finalizers stay, because without them the server would do harm:
//
//   - orphan, or the garbage collector would delete the dependents that have to stay;
//   - customresourcecleanup.apiextensions.k8s.io, or objects would stay in etcd, where no client sees them;
//   - spec.finalizers of a namespace, for the same reason.
//
// With on_destroy = "release" a destroy gives up our claims by a JSON patch and leaves the object. With "hand_over" the
// same patch gives them to the successor, under whose name they are what its own applies would have made.
package deletion
