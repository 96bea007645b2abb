// Package outages holds the tests that harm a control plane of their own while the provider works with it:
// servers that restart, stop or break, writers without pause, and credentials that end.
package outages
