// Package livediff finds the live values of an object that an apply changed or removed, and those of them that its
// plan did not show. It is an oracle for tests: it reads managedFields itself, and shares no code with the
// provider.
//
// The recorder of the acceptance tests reads each object before and after each apply, and compares the difference
// with the plan. So in no story does a value change without being shown.
package livediff
