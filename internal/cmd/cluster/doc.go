// Command cluster runs the control plane of the acceptance tests until it is interrupted, to try the provider by
// hand.
package main
