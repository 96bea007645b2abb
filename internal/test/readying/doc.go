// Package readying holds the tests that check what package readiness says about objects on a real control plane.
package readying
