// Package livediff tells which live values of an object an apply changed or removed, and which of them its plan
// did not show. It is an oracle for tests: it reads managedFields by itself, and shares no code with the provider.
//
// The recorder of the acceptance tests reads each object before and after each apply, and compares the difference
// with the plan. So no value changes unseen in any story.
package livediff
