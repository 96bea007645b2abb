// Package faults holds the tests that play faults between the provider and a real API server: for each request of
// each operation a broken connection, a stall, an answer that is an error or unreadable, and the death of the
// provider. Each fault is played only to the object of one cell of the matrix.
//
// # The matrix
//
// A proxy runs between the provider and the API server. The tests first record the requests of each operation;
// no table lists them. Then each request meets each fault, once or lasting.
//
// There is one object for each cell, and one workspace for some operations: a thousand cells cost some thirty runs of
// the CLI. The name of an object is that of its cell. A cell fails if its fault was never played. The cells that kill
// the provider share one process: all of them wait for an answer when it dies.
//
// # What has to hold after a fault
//
//   - Each error names the object, the operation and the next step. A fault that passes leaves no error.
//   - An object that was created is in the state.
//   - The values of other managers are unchanged.
//   - The next apply converges, and the plan after it is empty.
package faults
