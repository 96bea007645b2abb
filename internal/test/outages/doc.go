// Package outages holds the tests that disturb a control plane of their own while the provider works with it: servers
// restart, stop or break, other clients write without pause, and credentials expire.
//
// kube-apiserver restarts in the middle of an apply, etcd pauses, an aggregated API breaks, one of two clusters becomes
// unreachable, ten other clients write without pause, and a provider under the race detector applies 500 objects, 50 at
// a time.
//
// Most tests wait for time to pass, and wait in parallel. The tests that stop servers for all others, or that measure
// time, run before them, one after the other.
package outages
