// Package ssa plans and applies one object by server-side apply.
//
//	plan, err := ssa.PlanUpdate(ctx, api, args, prior)
//	observed, result, err := ssa.UpdateObject(ctx, api, args, prior, plan)
//
// [PlanCreate] and [CreateObject] are for new objects. Arguments that change nothing have no plan: see
// [wanted.Pending]. Package withdrawal ends a part of an object that another client created. The package talks to a
// server through [cluster.Interface], knows nothing of Terraform, and returns typed errors. Package wanted contains
// what follows from the arguments, package prediction what follows from the answer of a dry-run.
//
// If the server refuses an apply, a repair may help. Plan and apply share one list of repairs, so the plan is true.
//
// # Create
//
// The dry-run's 201 shows that the object is new. A 200 is an error with the import block to write. The same check in
// the second plan guards the apply. The create itself carries a resourceVersion of no object: if the object exists by
// then, the server answers with a conflict and changes nothing. If the namespace or the kind is missing (of a group
// that CustomResourceDefinitions can extend), the computed values are unknown, and the create waits up to its timeout.
//
// # A schema that changed
//
// A CustomResourceDefinition may make a list or map atomic under objects that exist, or split it. Package ownership
// documents what that does to claims. If parts leave the body in the apply that splits our claim, they would stay
// without an owner. The apply then removes them, with a dry-run and two PATCHes more.
//
// # Replacement
//
// A change that the server refuses as immutable plans a replacement; see [refusals.Immutable]. Terraform plans the new
// object with a null prior state while the old one still exists, and passes on the private state of the first plan. The
// snapshot there has the uid of the object that may still have the name. The computed values are then unknown.
//
// # Obstacles
//
// The server may refuse a value of ours together with one that the manifest lacks: the default of another member of a
// union, or an item whose key another client changed. Package obstacles finds by dry-runs what has to go. The apply
// then writes it into our entry of managedFields and takes it out of those of other managers, and is sent again:
// server-side apply removes what leaves our entry and no other manager holds. With on_conflict = "fail", a plan that
// would remove fields of other managers is refused. A value may last only together with fields of other managers, and a
// new object of the body alone would lack it. Then the plan shows what the server made of the live object without the
// obstacles.
//
// # Adoption
//
// Without a state, a prediction has no basis that is certain to be the same in Terraform's second plan. So with
// adopt_existing the computed values are known only after the apply. That is so for new objects too, because another
// client may create the object before the apply. The plan reads the object, plans an update of it, and shows that as
// warnings. The apply may differ.
//
// If both plans found no object and the create does, no plan of its adoption was shown. Then the apply adopts the
// object only if that changes none of its values, and if our manager owns nothing of it: another run with the same
// manager may have created it.
//
// # Apply
//
// The PATCH carries the uid of the planned object, so it never overwrites an object that was created again.
//
//   - A plan that takes nothing is applied without force first. A 409 means that another client wrote since the plan.
//     It becomes a warning with field and manager, and the forced PATCH follows.
//   - A plan that takes fields would conflict in any case. It is forced at once, on the resourceVersion that the plan
//     knows. A 409 costs a GET, which shows what other clients wrote since, and the forced PATCH is repeated on the new
//     resourceVersion. So is a plan without a planned state: an adoption, and the first apply of a part.
//   - A plan that removes list items or map entries meets no conflict, even if other clients have written into them. It
//     carries the resourceVersion that the plan knows, too.
//   - A plan that promises that leaving fields stay carries that resourceVersion as well, and so does one with
//     remove_fields and on_conflict = "fail". After a 409, fields that only we still own are released first.
//
// # Lost answers
//
// The apply that creates an object cannot be sent twice. If its answer is lost, a GET follows. If the object exists
// with our claim, it was created; otherwise the create is tried again. A conflict after a lost answer may be with our
// own object, so a GET follows then, too. If the GET gets no answer either, the object is in the state without a uid,
// and Terraform marks it as tainted. The next read keeps it only if our field manager has applied to it.
//
// # How claims are rewritten
//
// Package ownership makes the edit. The JSON patch that sends it also sets resourceVersion. If another client wrote in
// between, the server refuses the patch with a typed 409; then the provider reads the object and tries the edit again.
//
//   - A release and a new name of the field manager go before the apply.
//   - A take-over goes after the apply, because the apply itself may create before-first-apply. But if a field leaves
//     the body, the other managers lose it before the apply, which removes only what no other manager owns.
//   - If the server refuses what would be left of a map, half a probe for instance, the other managers lose the whole
//     map, and the apply is repeated. Maps that the refusal does not name keep what kubectl put into them.
//   - At create, ignored fields are sent once, as initial values, and released by one more request.
//
// The dry-run of a plan that rewrites claims uses the name of another manager (dryRunManager). Under our own name it
// would remove the fields, and the server refuses that for required ones. A manager that owns nothing removes nothing.
// If a body does not fit the live object as long as nothing is removed, as with another member of a union, the dry-run
// creates a new object.
package ssa
