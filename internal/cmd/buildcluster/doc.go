// Command buildcluster compiles the servers that the acceptance tests and the demo start, and the Terraform CLI
// that they run, so that these start without a delay.
package main
