// Command cluster runs the control plane of the acceptance tests alone, for trying the provider by hand, until it
// is interrupted.
package main
