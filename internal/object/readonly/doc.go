// Package readonly answers the dry-runs of a plan whose user may read and not write. It asks the server first. If the
// server refuses a dry-run because the user lacks the right, the answer is what the object and the request show:
//
//	work.API = readonly.Cluster{Interface: api}
//	plan, err := readonly.Planner{Engine: engine.Of(work), Work: work}.Plan(ctx, prior)
//
// Every other caller of the cluster gets the refusal. work.Run.WithoutDryRun has the rights that are missing.
//
// The answer has the values of the request at the fields that managers own, and at those that no list contains. It
// lacks what only the schema shows: defaults, how the server writes a value, and the keys of list items that no
// manager owns. So it shows which managers own a declared field and whether its value differs, and no value after the
// apply is certain.
package readonly
