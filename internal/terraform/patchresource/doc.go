// Package patchresource is the resource k8sconnect_patch: some fields of an object that another client created, applied
// by server-side apply or another patch. This package contains the type name, the schema and the names for diagnostics;
// package objectresource does the rest.
package patchresource
