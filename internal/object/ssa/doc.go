// Package ssa plans and applies one object by server-side apply. It talks to a server through cluster.Interface, knows
// nothing of Terraform, and returns typed errors. Package intents has what the user asks, package prediction what the
// answer of a dry-run says about the apply.
//
// If the server refuses an apply, a repair may help. The plan and the apply have one list of repairs, so that the
// plan shows what the apply does.
//
// # Create
//
// The dry-run's 201 says that the object is new. A 200 is an error with the import block to write. The same check
// in the second plan guards the apply. The create itself carries a resourceVersion that no object has: if the object exists by then, the
// server answers with a conflict and changes nothing. If the kind is missing (of a group that CustomResourceDefinitions can add
// to) or the namespace is missing, the computed values are unknown, and the create waits for it up to its timeout.
//
// # Update
//
// If the body, ignore_fields, the field manager, our claim and the declared values are as our last apply left
// them, nothing is Pending: the plan is the prior state, and nothing is sent. A change of identity plans a
// replacement, and so does a change that the server refuses as immutable; see package refusals.
//
// # A schema that changed
//
// A CustomResourceDefinition may make a list or map atomic under objects that exist, or split it. Package
// ownership says what that does to claims. If parts leave the body in the apply that splits our claim, they would
// stay without an owner. The apply then removes them, with a dry-run and two PATCHes more.
//
// # Replacement
//
// Terraform plans the new object with a null prior state while the old one still exists, and passes on the private
// state of the first plan. The snapshot there has the uid of the object that may still have the name. The computed
// values are then unknown.
//
// # Adoption
//
// Without a state, a prediction has no basis that is certain to be the same in Terraform's second plan. So with
// adopt_existing the computed values are known only after the apply. That is so for new objects too, because
// another client may create the object before the apply. The plan reads the object, plans an update of it, and shows
// what that foresees as warnings. The apply may do something else.
//
// If both plans found no object and the create does, nobody has seen a plan of its adoption. Then the apply adopts the object only if that
// changes none of its values, and if our manager owns nothing of it: another run with the same manager may have created it.
//
// # Credentials that ended
//
// Terraform refreshes with the connection that the state holds. If that is the resource's own connection, and its
// credentials are not accepted any more, the read keeps the state and notes Outdated in the snapshot.
//
//   - With the connection of the state, the plan ends in an error. So does a deletion, which Terraform runs with
//     the connection of the state.
//   - With another connection, the plan reads the object. Errors and messages follow the object that it reads.
//     Known values follow the state and its snapshot, which both plans have. The first plan leaves values
//     unknown where drift matters. The second plan hands what it saw to the apply in its private state. Owners
//     that the state cannot show wait in Snapshot.Unshown for the next plan.
//   - If the object is gone, the plan is a replacement whose private state says Gone, so that its deletion sends
//     nothing.
//
// # The namespace of the state
//
// The object stays in the namespace of the state, unless the body or cluster.namespace says otherwise, whatever the context
// of the kubeconfig is.
//
// # Apply
//
// The PATCH carries the uid of the planned object, so an object that was created again is never overwritten
// unseen.
//
//   - A plan that takes nothing is applied without force first. A 409 means that somebody wrote since the
//     plan. It becomes a warning with field and manager, and the forced PATCH follows.
//   - A plan that takes fields would conflict in any case. It is forced at once, on the resourceVersion that the
//     plan knows. A 409 costs a GET, which tells what others wrote since, and the forced PATCH is repeated on
//     the new resourceVersion.
//   - A plan that removes list items or map entries meets no conflict, whatever others put into them. It carries the
//     resourceVersion that the plan knows, too.
//
// The planned values go into the state. The actual values go into the snapshot.
//
// # Lost answers
//
// The apply that creates an object cannot be sent twice. If its answer is lost, a GET tells: if the object is
// there with our claim, it was created; otherwise the create is tried again. A conflict after a lost answer may be with our own
// object, so a GET tells that, too. If the GET gets no answer either, the
// object is in the state without a uid, and Terraform marks it as tainted. The next read keeps it only if our
// field manager has applied to it.
//
// # How claims are rewritten
//
// Package ownership makes the edit. The JSON patch that sends it also sets resourceVersion. If somebody
// wrote in between, the server refuses the patch with a typed 409; then the provider reads the object and tries the edit again.
//
//   - A release and a new name of the field manager go before the apply.
//   - A take-over goes after the apply, because the apply itself may create before-first-apply. But if a field
//     leaves the body, the other managers lose it before the apply, which removes only what nobody else holds.
//   - If the server refuses what would be left of a map, half a probe for instance, the other managers lose the
//     whole map, and the apply is repeated. Maps that the refusal does not name keep what kubectl put into them.
//   - An import applied nothing, and renames nothing.
//   - At create, ignored fields are sent once, as initial values, and released by one more request.
//
// The dry-run of a plan that rewrites claims runs under the name of another manager (prediction.DryRunManager). Under our own
// name it would remove the fields, and the server refuses that for required ones. A manager that owns nothing removes
// nothing. If a body does not fit the live object as long as nothing is removed, as with another member of a union, the
// dry-run creates a new object.
package ssa
