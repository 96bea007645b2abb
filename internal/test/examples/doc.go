// Package examples holds the test that runs every configuration below examples/ on a real control plane,
// the one that prints the plans of the pages, and those that hold the pages to both.
package examples
