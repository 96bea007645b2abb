// Package local answers dry-runs of a plan that the server refuses, by the live object and the request. It asks the
// server first. A refusal gets an answer if the user of a [Planner] may not write, or if a plan is made without the
// dry-run; see [engine.IsWithoutDryRun]:
//
//	work.API = local.Cluster{Interface: api}
//	plan, err := local.Planner{Engine: engine.Of(work), Work: work}.Plan(ctx, prior)
//
// An [Explainer] tries a new object to explain the refusal of another one.
//
// Every other caller of the cluster gets the refusal. work.Run.WithoutDryRun contains the rights that are missing.
//
// The answer contains the values of the request at the fields that managers own, and at those that no list contains. It
// lacks the data that only the schema provides: defaults, how the server writes a value, and the keys of list items
// that no manager owns. So it shows which managers own a declared field and whether its value differs, and no value
// after the apply is certain.
package local
