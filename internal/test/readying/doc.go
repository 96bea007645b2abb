// Package readying holds the test that follows what package readiness says of objects on a real control plane.
package readying
