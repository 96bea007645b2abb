// Package readiness says whether an object is ready, still in progress or has failed. It takes and returns plain Go: the
// object as the server has it in, a Status out.
//
// # Which generation
//
// Nothing that is about an older generation counts: neither the status of an object whose observedGeneration is behind,
// nor a condition whose own observedGeneration is behind.
//
// # When to give up
//
// Failed ends a wait early. A pod without a node is never Failed, because autoscalers add nodes. Pods that the API server refuses
// are Failed where it forbids them (quota, pod security), except for a missing service account, which may be created at the same
// time, and for a quota while old pods run: the controller ends some of them, which frees their part of the quota.
//
// A Job that has ended keeps its status while it is being deleted: clusters delete Jobs because they have ended.
//
// # Claims that wait for a pod
//
// A PersistentVolumeClaim whose storage class has WaitForFirstConsumer is bound once a pod uses it, and the claim itself does
// not say so. It is in progress, and the message names that possibility. A user whose pods depend on the claim has to
// wait for its existence only.
//
// # Ingresses
//
// An Ingress is ready once it has an address. Some controllers publish none; there, a wait names a field or existence.
//
// # Why not cli-utils
//
// github.com/fluxcd/cli-utils computes a status too. It calls a running Job, a failed Pod, a LoadBalancer without an address and
// any StatefulSet with OnDelete current, gives up on an unschedulable pod, knows no Ingress, no Gateway API and no autoscaler,
// ignores the observedGeneration of a condition, and asks the clock. It would add only one package and 73 KiB to the binary. But
// little of it would be left to call.
//
// The tests run it beside Of. They use v1.2.3, because v1.4.0 needs Go 1.27 and v1.3.0 upgrades modules of the product. Its
// package status has the same code in v1.2.3 and v1.4.0.
package readiness
