// Package objectkit is what each resource about an object shares: the identity, the snapshot in private state and the
// timeouts of operations.
package objectkit
