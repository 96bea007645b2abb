// Package waitresource has the resource k8sconnect_wait: it waits for an object that another client creates, and passes
// on its values.
//
// The resource stores what the wait has seen, and changes nothing on the cluster. A create that fails stores nothing,
// and an update that fails keeps the prior state. So the next apply waits again, and resources that depend on this one
// are not applied.
//
// A plan sends no request. The computed values are known, or unknown if the apply waits. A read sends one GET if the
// resource exports values, or if the object was not ready. If the object is gone, the resource leaves the state, and
// the next plan creates it again: resources that use its values see unknown values instead of null.
package waitresource
