// Package documents makes of a text with many manifests the objects that a configuration manages one by one: each with a key that names
// it, and in the stage in which it can be created.
//
// # Keys
//
// A key is group/kind/namespace/name, and always has these four parts: apps/Deployment/default/web, core/Namespace//argocd. The group of v1
// is core. The version is left out, because an object is the same in all versions of its kind. The namespace is empty for a cluster-scoped
// object, and for an object that says nothing and gets none: the connection decides then, and a key does not know the connection.
//
// # Scope
//
// Nothing here asks a cluster. client-go's typed clients say which built-in kinds have a namespace: the method that returns the client of
// such a kind takes one. CustomResourceDefinitions in the same text say it of their kinds. Any other kind counts as namespaced. If that is
// wrong, nothing is lost: the resource knows the cluster, leaves out the namespace of a cluster-scoped object, and says so in the plan. The
// other mistake would put an object into the wrong namespace, without a word.
package documents
