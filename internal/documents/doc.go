// Package documents splits a text with many manifests into the objects that a configuration manages one by one. Each object has a
// key that names it, and the stage in which it can be created.
//
// # Keys
//
// A key is group/kind/namespace/name, and always has these four parts: apps/Deployment/default/web, core/Namespace//argocd. The
// group of v1 is core. The version is left out, because an object is the same in all versions of its kind. The namespace is empty
// for a cluster-scoped object, and for an object that names no namespace and gets none from Options. The connection then decides on
// the namespace, and a key does not know the connection.
//
// # Scope
//
// Nothing here asks a cluster. client-go's typed clients say which built-in kinds have a namespace: the method that returns the
// client of such a kind takes one. CustomResourceDefinitions in the same text say whether their kinds have one. Any other kind
// counts as namespaced. If that is wrong, nothing is lost: the resource knows the cluster, leaves out the namespace of a
// cluster-scoped object, and says so in the plan. The opposite mistake would put an object into the wrong namespace without a
// warning.
package documents
