// Package patching holds the test that compares what package patches makes of an object with what a real API server
// makes of it.
package patching
