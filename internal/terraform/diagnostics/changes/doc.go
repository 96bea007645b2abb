// Package changes describes what a plan does to single fields: the conflicts, how to avoid them, and the fields that
// are released, shared or left to other managers. Begin with [Planned], which is the one warning of a plan.
// [TakenBack] and others are about parts of objects that other clients created.
//
// A plan lists a hundred conflicts of an object and counts the rest.
package changes
