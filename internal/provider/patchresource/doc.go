// Package patchresource is the resource k8sconnect_patch: some fields of an object that somebody else created, applied by
// server-side apply. It has the name, the schema and the words; package objectkit does the rest.
package patchresource
