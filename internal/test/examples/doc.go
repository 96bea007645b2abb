// Package examples holds the test that runs every configuration below examples/ on a real control plane, the
// test that prints the plans of the pages, and the tests that compare the pages with both.
//
// The pages are README.md and all files below docs/.
//
//   - Each block of Terraform code on a page is part of an example.
//   - Each plan on a page is one that TestPlans prints, and each plan that it prints is on a page.
//   - Each error and each warning has a section in the troubleshooting guide, and no other section exists.
//   - Each link leads to a file and a section that exist.
package examples
