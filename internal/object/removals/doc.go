// Package removals removes the fields that an apply has to remove and server-side apply does not: fields of other
// managers, and parts whose claim the schema has split. It also asks the server, before the apply, whether it accepts
// the object without the removed fields.
package removals
