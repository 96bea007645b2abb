// Package parts plans and applies the fields that a resource adds to an object which somebody else created, and takes
// them back. A later apply of a part is the same as one of an object: package ssa has it.
package parts
