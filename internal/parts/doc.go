// Package parts plans and applies the fields that a resource adds to an object which somebody else created, and takes
// them back. Later applies of a part are the same as those of an object, which package ssa makes.
package parts
