// Package waits has the attributes with which a resource or a data source waits until an object is ready, below wait or at the
// top level, and says how a wait has ended.
package waits
