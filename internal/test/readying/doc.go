// Package readying holds the tests that check the findings of package readiness about objects on a real control plane.
package readying
