// Package waiting follows an object, or whatever object has a name, until it is ready or will never be. Package readiness decides
// what ready means.
package waiting
