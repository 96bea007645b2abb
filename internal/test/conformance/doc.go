// Package conformance runs the suite of the package with that name on the control plane.
package conformance
