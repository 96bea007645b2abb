// Package withdrawal takes back what was applied to an object of another client, when its resource is destroyed.
//
//	live, err := withdrawal.TakeBackPart(ctx, api, args, prior)  // a part
//	live, err := withdrawal.TakeBack(ctx, api, args, prior, releases) // a JSON, merge or strategic merge patch
//
// A field that we added goes, and a field to restore gets its value from before. All others keep their values.
//
// # What stays, stays
//
// The plan of a destroy reports for each field what becomes of it, by the snapshot of the last read. If it reports that
// a field keeps its value because other managers own it too, and they give it up before the destroy, the destroy ends
// our claim and keeps the value: no manager owns it then. If other managers come to own a field that was to be removed
// or restored, it keeps their value.
package withdrawal
