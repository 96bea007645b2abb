// Package architecture holds the tests that fail if a package imports what it must not import, or has too many files.
//
// Every package of the module has a rule: which packages of the module it may import, which packages from
// outside it may not import, and whether it may read the clock. A package without a rule fails the test.
package architecture
