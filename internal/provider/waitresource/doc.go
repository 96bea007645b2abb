// Package waitresource is the resource k8sconnect_wait: it waits for an object that somebody else creates, and hands its values on.
//
// It stores what the wait has seen, and changes nothing on the cluster. A create that fails stores nothing, and an update that fails
// keeps the prior state, so that the next apply waits again and what depends on the object is not applied.
//
// A plan sends nothing. It knows the computed values, or leaves them to an apply that waits. A read sends one GET if there is
// something to see: values that are handed on, or an object that was not ready. An object that is gone leaves the state, so that the
// next plan creates the resource again: what depends on its values sees unknown ones instead of null.
package waitresource
