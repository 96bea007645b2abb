// Package invalid makes the diagnostics about what the user has written: values, manifests, field paths, import IDs,
// and the connection to a cluster. Begin with [Value], for one attribute, and [Combination], for attributes that
// contradict each other.
//
// They need no object and no answer of a cluster. What happens to an object on a cluster is in package diagnostics.
package invalid
