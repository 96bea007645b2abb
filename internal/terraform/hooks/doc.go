// Package hooks runs the hooks of a chart before and after what an apply or a destroy does to the objects of its set:
// by weight and name, each created, waited for if it is a Job or a Pod, and deleted as its policies say.
//
// # A run that was cut off
//
// A hook carries the name of its operation in an annotation. So the next run of the same operation finds what one has
// started that was killed or that failed: it waits for a hook that goes on, and does not run again what has ended well.
// The attribute revision counts the operations that have ended well, so that a later one has another name. A destroy
// takes the names away, since the next installation counts from the beginning, and so does an apply from the hooks that
// leave the configuration.
//
// # A release of Helm
//
// A set can take over a release. Its plan adopts those objects of the release that the set has, its create runs no
// hooks, and in the end what Helm has stored of the release is deleted.
package hooks
