// Package outages holds the tests that harm a control plane of their own while the provider works with it: servers
// that restart, stop or break, writers without pause, and credentials that end.
//
// kube-apiserver restarts in the middle of an apply, etcd pauses, an aggregated API breaks, one of two clusters is
// shut off, ten others write without pause, and 500 objects are applied 50 at a time by a provider under the race
// detector.
//
// Most tests wait for time to pass, and wait together. Those that take the servers from all others, or measure time, play
// one after the other before them.
package outages
