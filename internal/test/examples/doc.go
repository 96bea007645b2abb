// Package examples has the tests that run every configuration below examples/ on a real control plane, and those that
// print the plans of the pages. Package pages compares the pages with both.
package examples
