// Package examples holds the test that runs every configuration below examples/ on a real control plane,
// and holds the pages to them.
package examples
