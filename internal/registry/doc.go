// Package registry knows what the resources of one run of the provider stand for: which objects they have, which
// they are to create, and which of them wait. A run is one plan or one apply.
//
// # Taint, and two resources for one object
//
// Terraform plans a tainted resource as if it had no state at all. RunRegistry notes, for one run of the provider,
// which objects were read from the state and which resource stands for each. So the plan recognizes the object of
// a tainted resource, and refuses a second resource for the same object.
//
// # Waits
//
// A missing kind, a missing namespace and a webhook that cannot be reached are "not there yet". They are unknown
// in the first of Terraform's two plans. The second plan and the apply wait for them, because a known value must
// not become unknown. Rounds tells the two plans apart.
//
// WaitQueue sees how many operations of the run are in flight. If there are at least ten, all of them wait, and
// nothing moves for five seconds, the oldest wait ends with an error, so that what they wait for gets its turn.
// Waiting is bounded, because a create that waits occupies one of Terraform's parallel slots: the default timeout
// is two minutes. depends_on avoids the wait.
//
// # Protection
//
// It goes by the state, as a destroy has no configuration: the user applies delete_protection = false first. A
// taint and -replace plan the object without its state. RunRegistry remembers from the read, or from the plan with
// a state before, that the object is protected. The delete itself refuses what slips through.
package registry
