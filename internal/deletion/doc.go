// Package deletion ends what a resource has to do with an object: it deletes the object, removes the finalizers that
// hold it, or gives up our claims and leaves it.
//
// # Deletion
//
// An object counts as gone only if the API server itself says so; package kube decides that. If a
// deletion takes longer than timeouts.delete, the error has ReasonDeletionBlocked, with what the object says of itself.
//
// force_destroy continues from there, with a minute of its own. A JSON patch removes metadata.finalizers, guarded
// by resourceVersion. Nobody can add a finalizer back, because the server refuses new ones on an object that is
// being deleted. Some finalizers stay, because without them the server would do harm:
//
//   - orphan, or the garbage collector would delete the dependents that are to stay;
//   - customresourcecleanup.apiextensions.k8s.io, or objects would stay in etcd where nobody sees them;
//   - spec.finalizers of a namespace, for the same reason.
//
// With on_destroy = "release" a destroy gives up our claims by a JSON patch and leaves the object.
package deletion
