// Package story is the harness of the acceptance tests, which lie by theme in test/acceptance. Everything about the server's
// behaviour is tested on a real control plane, which package testcluster starts.
//
// # Stories
//
// A story has a namespace of its own, the provider in process, and others who write under the names of managers.
// It asserts the plan, then the state and the live object. It ends with a plan that is empty and that sent one GET
// for each read.
//
// The recorder holds every answer of every story to its identity, whatever the CLI makes of it. The protocol tests
// play a CLI that keeps identities. What needs a newer CLI is a feature of a story: the skip says what is lacking, and
// make test-terraform runs it.
//
// ExpectPrediction compares the plan and its warning with the server's own word: the managedFields of a dry-run,
// and the 409 of an apply without force. What a take-over does to them it works out by itself.
//
// # No value changes unseen
//
// The recorder reads each object before and after each apply of every story. Package livediff compares the
// difference with the plan.
//
// # Bad inputs
//
// The tests of bad inputs are tables. The CLI validates, plans, applies or destroys a whole table at once. What it
// says of each is compared with testdata/badinput/GROUP.txt. `go test -update` writes the file, and somebody reads
// each text before it is committed.
//
// # Large objects
//
// A CustomResourceDefinition of 1.5 MB, two ConfigMaps of 1 MB, a list of 5000 items and a container with 500
// variables go through create, drift, update, ignore_fields, import and destroy, with the built provider. `go test
// -run xxx -bench Roster ./internal/ssa` is what each use case costs for a list item, from 500 to 5000.
//
// # Counting
//
// Tests count requests, from the audit log. They never measure time; benchmarks do.
package story
