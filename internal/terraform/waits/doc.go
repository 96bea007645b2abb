// Package waits defines the attributes with which a resource or a data source waits until an object is ready, below
// wait or at the top level, and reports how a wait has ended.
package waits
