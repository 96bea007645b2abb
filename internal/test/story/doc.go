// Package story is the harness of the acceptance tests, which are in test/acceptance. Everything about the API server's
// behaviour is tested on a real control plane, which package testcluster starts.
//
// # Stories
//
// A story has its own namespace, the provider in the test's process, and other writers with their own field managers.
// It asserts the plan, then the state and the live object. It ends with an empty plan that sent one GET for each read.
//
// # The verbs of a story
//
// A step of [Story.Run] has writes of other clients, a configuration, and checks of its plan, its state and the live
// objects:
//
//	who writes         Story.As(NAME).Apply, Create, Patch, Put, Scale, Remove   another client, under its manager
//	when               Story.NextStep, Story.WhileApplying, Meanwhile            before a step, during its apply
//	what is configured Story.Config, PatchConfig, Manifest, ProviderBlock        the text of a step
//	what is planned    PlanChecks of ExpectAction, ExpectOwner, ExpectChange,    old and new owner and value
//	                   ExpectValue, ExpectOnly, ExpectUnknown
//	what is warned     Story.ExpectWarning(s), ExpectPlanSays, ExpectOnlyWarning, the messages of the plan
//	                   ExpectNoWarning; Story.ExpectRepeated, ExpectSilence      and of the apply
//	what is foreseen   Story.ExpectPrediction, ExpectForeseen                    the plan against a dry-run
//	what is stored     StateChecks of ExpectState, Story.ExpectServersOwners     the attributes after the apply
//	what is live       LiveChecks of Story.ExpectLive, ExpectLiveJSON,           the object on the API server
//	                   ExpectOwners, ExpectNoOwner, ExpectContainer, ExpectGone
//	what is sent       Story.Meter: Start, Plans, Applies                        the requests in the audit log
//	what is secret     Story.ExpectRedacted, ExpectStateRedacted                 no value in plan, state and log
//	at last            Story.Noop                                                an empty plan: one GET for each read
//
// A test that needs the CLI itself, for files, queries or flags, uses a [Workspace]: Write, Do, Try, Exits, ExpectCost.
// A test that needs no CLI uses a [Protocol]. Helpers that only test/acceptance needs are
// there.
//
// The recorder checks the resource identity in every response of every story, even if the CLI ignores identities. The
// protocol tests play a CLI that keeps identities. A story that needs a newer CLI has a [Feature]: the skip names what
// the CLI lacks, and make test-terraform runs the story.
//
// [Story.ExpectPrediction] compares the plan and its warning with the API server's own answers: the managedFields of a
// dry-run, and the 409 of an apply without force. It computes the effect of a take-over itself.
//
// # No value changes unseen
//
// The recorder reads each object before and after each apply of every story. Package livediff compares the
// difference with the plan.
//
// # Bad inputs
//
// The tests of bad inputs are tables. The CLI validates, plans, applies or destroys a whole table at once. The
// diagnostics about each input are compared with testdata/planning/badinput/GROUP.txt. `go test -update` writes the
// file, and a person reads each diagnostic before it is committed.
//
// # Large objects
//
// A CustomResourceDefinition of 1.5 MB, two ConfigMaps of 1 MB, a list of 5000 items and a container with 500 variables
// go through create, drift, update, ignore_fields, import and destroy, with the built provider. `go test -run xxx
// -bench Roster ./internal/object/ssa` measures the cost of each use case per list item, from 500 to 5000 items.
//
// # Counting
//
// Tests count requests in the audit log. Tests do not measure time; benchmarks do.
package story
