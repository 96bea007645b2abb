// Package patchresource has the resource k8sconnect_patch: some fields of an object that another client created,
// applied by server-side apply or another patch. This package has the name, the schema and the names; package
// objectresource does the rest.
package patchresource
