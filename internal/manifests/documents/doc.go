// Package documents splits a stream of YAML documents into the objects that a configuration manages one by one. Each
// object has a key that names it.
//
// # Keys
//
// A key is group/kind/namespace/name, and always consists of these four parts: apps/Deployment/default/web,
// core/Namespace//argocd. The group of v1 is core. The version is left out, because an object is the same in all
// versions of its kind. The namespace is empty for a cluster-scoped object, and for an object that names no namespace
// and gets none from [Options]. Its namespace comes from the connection, which is not known here.
//
// # Scope
//
// This package sends no request to a cluster. client-go's typed clients show which built-in kinds are namespaced: the
// method that returns the client of a namespaced kind takes a namespace. CustomResourceDefinitions in the same stream
// define the scopes of their kinds. Any other kind counts as namespaced. If that is wrong, nothing is lost: the
// resource knows the cluster, leaves out the namespace of a cluster-scoped object, and warns in the plan. The opposite
// mistake would create an object in the wrong namespace without a warning.
package documents
