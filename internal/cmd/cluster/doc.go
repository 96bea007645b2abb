// Command cluster runs the control plane of the acceptance tests until it is interrupted, to try the provider by
// hand. With arguments, it runs them as a command whose acceptance tests attach to the control plane, and ends with its
// exit code.
package main
