// Command buildcluster compiles the servers that the acceptance tests and the demo start, and a Terraform CLI
// where the machine has none, so that what comes after starts at once.
package main
