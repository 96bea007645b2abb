// Package faults holds the tests that play faults between the provider and a real API server: for each request of
// each operation a broken connection, a stall, an answer that is an error or unreadable, and the death of the
// provider. The fault is played to the objects of one cell of the matrix and no other.
//
// # The matrix
//
// A proxy stands between the provider and the API server. The requests of each operation are recorded first, not
// listed. Then each request meets each fault, which passes or lasts.
//
// There is one object for each cell, and one workspace for some operations, so that a thousand cells cost some
// thirty runs of the CLI. The name of an object says which cell it is. A cell whose fault was never played fails.
// In the cells that kill the provider, all of them wait for an answer when the one process dies.
//
// # What has to hold after a fault
//
//   - Each error names the object, the operation and the next step. A fault that passes leaves no error.
//   - An object that was created is in the state.
//   - The values of others stand.
//   - The next apply converges, and the plan after it is empty.
package faults
