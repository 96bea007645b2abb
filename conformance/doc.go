// Package conformance holds an API server to what server-side apply says about the owners of fields: who owns what
// after which writes of which managers. The stories are data, in the folder cases, so that tools in other languages can
// tell them too; README.md has their format.
package conformance
