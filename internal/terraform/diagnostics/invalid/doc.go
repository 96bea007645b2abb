// Package invalid makes the diagnostics about mistakes of the user: in values, manifests, field paths, import IDs, and
// the connection to a cluster. Begin with [Value], for one attribute, and [Combination], for attributes that contradict
// each other.
//
// They need no object and no answer of a cluster. Events on a cluster are in package diagnostics.
package invalid
