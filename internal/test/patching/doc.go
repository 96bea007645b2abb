// Package patching holds the tests that compare the result of package patches for an object with that of a real API
// server.
package patching
