// Package waits has the attributes with which a resource waits until its object is ready: wait and ready.
package waits
