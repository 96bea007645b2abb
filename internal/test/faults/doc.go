// Package faults holds the tests that play faults between the provider and a real API server: for each
// request of each operation a broken connection, a stall, an answer that is an error or unreadable, and
// the death of the provider. The fault is played to the objects of one cell of the matrix and no other.
package faults
