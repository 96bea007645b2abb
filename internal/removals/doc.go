// Package removals sends what an apply removes and server-side apply does not: fields of others, and parts whose claim
// the schema has split. It also asks the server, before the apply, whether it takes the object without what goes.
package removals
