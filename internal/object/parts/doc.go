// Package parts plans and applies the fields that a resource adds to an object that another client created, and takes
// them back. Package ssa makes the later applies of a part, which are the same as those of an object.
package parts
