// Package validation compares the findings about objects without a cluster with the answers of API servers: of changed
// objects of all built-in kinds and of custom resources on the control plane, and, with the variable of make
// test-schemas, of the kinds of other projects and with the schemas of each tested Kubernetes version.
package validation
