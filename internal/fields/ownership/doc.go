// Package ownership turns metadata.managedFields into the ownership of fields: the claims of all managers, the co-owner
// map, its flattened form, and the prediction of both. It is set algebra over field sets, with no network, no clock and
// no Terraform.
//
// [Parse] reads the [Claims] of an object, [Claims.CoOwners] lists the owners of each field, and [CoOwners.Flatten]
// gives field_ownership. [Claims.Predict] does it for the object after an apply.
//
// # Words
//
// A manager is one entry of managedFields: name, operation (Apply or Update), API version, subresource. A claim is
// the set of fields that one manager owns. The owners of a field are the managers whose claims hold it, in the API
// server's order: Apply before Update, each oldest first.
//
// # Shown owner
//
// Attributes show one owner for each field: the first in the API server's order. While the set of owners is
// unchanged, the shown owner is unchanged too. The times of entries move with every write, and that must not look
// like a transfer.
//
// # Prediction
//
// [Claims.Predict] returns what a forced apply of ours does to the claims. It needs the claims before, the field set
// that the server makes of our body, and the live values.
//
//   - If other managers hold a leaf and our value equals the live one as written, the leaf is shared. The server
//     compares raw values: 1000m is not 1.
//   - If our value differs, the leaf is taken from all other managers.
//   - If a field leaves our body, it leaves us. Its value stays if another manager holds the field.
//
// Without a schema, values conflict by kind: the server merges maps and replaces everything else.
//
// Other managers lose fields in two ways. The first is a conflict: the server's 409 names it, and Prediction.Taken
// lists it. The second is a field that is removed with a list item of ours, or with a map that a value replaces. No 409
// names it. Prediction.Removed lists it, and it counts as a conflict too.
//
// Claims are paths of the API version in which they were written. Only the server can show what managers of
// another version lose.
//
// # What a plan reports about a field
//
// [Facts] answers four questions about one field. Do we own it after our last apply? Will we own it after the next one?
// Does the configuration treat it differently than at the last apply? Did other managers give it another live value?
// The sixteen combinations have names and one Outcome each. In four of them we would gain or lose a field without a
// change in the configuration. That cannot happen: a test in package prediction proves it in all combinations for one
// field.
//
// Values decide. If another owner joins with an equal value, the plan reports nothing.
//
// # A schema that changed
//
// A CustomResourceDefinition may make a list or map atomic under objects that exist, or split it. The server does not
// rewrite claims then. With the next write, each claim on parts becomes a claim on the whole; [Claims.BecameAtomic]
// detects that in the dry-run's answer. Claims on a whole that was split stay until their managers apply again.
//
// # How claims are rewritten
//
// An apply that only leaves a field out removes the field, or resets it to its default. So to release a field, the
// provider first rewrites our own entry of managedFields, without the field. The value stays. The apply that follows
// cannot remove it, because we no longer own it. [Rewrite] is that edit. It works on claims for the prediction and on
// entries for the server. It also does two other things:
//
//   - Renaming. With a new field manager alone, we would share every field with the old name, and take those that
//     change from it. So the provider gives the old entry the new name before the apply.
//   - Taking over. kubectl create and client-side kubectl apply leave an entry with operation Update that no client
//     ever gives up. The managers that are taken over lose exactly what our own entry holds. They keep the server's
//     defaults that they own. They keep no claim on a map, a list or an item in which they own nothing any more.
//
// A manager that applies, or that writes through a subresource, is never rewritten.
//
// # Who a manager is
//
// Each row of the table of well-known managers describes a manager in plain words. The table also tells controllers
// from people, for imports.
package ownership
