// Package architecture holds the tests that fail when an import points the wrong way, or a package has too many files.
//
// Every package of the module has a rule: which packages of the module it may import, what from outside it may
// not, and whether it may ask for the time. A package without a rule fails the test.
package architecture
