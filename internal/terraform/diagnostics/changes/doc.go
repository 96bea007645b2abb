// Package changes describes what a plan does to single fields: the conflicts, how to avoid them, and the fields that
// are released, shared or left to other managers. Package diagnostics uses the description in a warning or an error.
//
// A plan lists a hundred conflicts of an object and counts the rest.
package changes
