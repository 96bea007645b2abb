// Package largeobjects makes manifests of the size of the largest objects that people keep in a cluster, for tests
// and benchmarks: a CustomResourceDefinition of 1.5 MB, ConfigMaps of 1 MB, a list of 5000 items and a container
// with 500 variables. The caller replaces NS by the name of a namespace. The note is the only field that an update
// changes.
package largeobjects
