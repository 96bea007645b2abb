// Package unready has the diagnostics of waits that did not end well: objects that are not ready, Jobs that failed,
// and workloads that could not be restarted. [NotReady] is that of an apply or a read.
package unready
