// Package run is the memory of one run of the provider: the data that the resources of one plan, or of one apply,
// share. The provider starts with a zero [Run]; each operation begins with WaitQueue.Begin, or with [Run.BeginApply],
// and notes in the Run the objects that it reads, plans and creates. So a plan can refuse a second resource for one
// object, and an operation can wait for an object that another resource creates.
//
// # Taint, and two resources for one object
//
// Terraform plans a tainted resource as if it had no state at all. [Objects] records the objects that were read, and
// how the run plans each of them. So the plan recognizes the object of a tainted resource, and refuses a second
// resource for the same object, also if it does not exist yet. It holds the states of resources whose create has ended
// with an error, which the plan needs to keep their objects.
//
// # Waits
//
// A missing kind, a missing namespace and a webhook that cannot be reached count as "not there yet". In the first of
// Terraform's two plans, the computed values of the object are then unknown. The second plan and the apply wait,
// because a known value must not become unknown. [Rounds] tells the two plans apart.
//
// [WaitQueue] counts the operations of the run that are in flight. If there are at least ten, all of them wait, and
// nothing moves for five seconds, the oldest wait ends with an error. That lets the operation that they wait for start.
// Waiting is bounded, because a create that waits occupies one of Terraform's parallel slots: the default timeout is
// two minutes. depends_on avoids the wait.
//
// # Protection
//
// Protection follows the state, because a destroy has no configuration: the user applies delete_protection = false
// first. A taint and -replace plan the object without its state. Objects remembers from the read, or from an earlier
// plan with a state, that the object is protected. The delete itself refuses a protected object that the plan missed.
package run
