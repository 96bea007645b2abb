// Package changes writes the text about what a plan does to single fields: the conflicts, how to avoid them, and the
// fields that are released, shared or left to others. Package diagnostics puts the text into a warning or an error.
//
// A plan names a hundred conflicts of an object and counts the others.
package changes
