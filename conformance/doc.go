// Package conformance checks that an API server keeps the rules of server-side apply about the owners of fields: who
// owns what after which writes of which managers. The stories are data, in the folder cases, and tools in other
// languages can play them too; README.md has their format.
package conformance
