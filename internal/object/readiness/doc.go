// Package readiness determines whether an object is ready, still in progress or has failed. It takes and returns plain
// Go: it takes the object as the server returns it, and returns a [Status].
//
// # Which generation
//
// Anything about an older generation is ignored: the status of an object whose observedGeneration is behind, and a
// condition whose own observedGeneration is behind.
//
// # When to give up
//
// [Failed] ends a wait early. A pod without a node is never Failed, because autoscalers add nodes. Pods that the API
// server refuses are Failed if it forbids them (quota, pod security), except for what
// [refusals.Passing] knows, which may be created at the same time, and for a quota while old pods run: the controller
// ends some of them, which frees their part of the quota. A CustomResourceDefinition whose names another one has is in
// progress, with the condition that reports it: the wait gives up only if the names are not free after a time.
//
// A Job that has ended keeps its status while it is being deleted: clusters delete Jobs because they have ended.
//
// # Claims that wait for a pod
//
// A PersistentVolumeClaim whose storage class sets WaitForFirstConsumer is bound once a pod uses it, and the claim
// itself does not show that. It is in progress, and the message names that possibility. A user whose pods depend on the
// claim can wait only for its existence.
//
// # Conditions that come one after the other
//
// A controller may report other conditions before Ready: cert-manager first reports that it issues a Certificate. No
// schema shows whether objects of a kind get the condition Ready. So the kinds that always get it are listed here, and
// an object of any other kind without it is ready.
//
// # Ingresses
//
// An Ingress is ready once it has an address. Some controllers publish none. With those, a wait names a field or
// existence.
//
// # Why not cli-utils
//
// github.com/fluxcd/cli-utils computes a status too. It calls a running Job, a failed Pod, a LoadBalancer without an
// address and any StatefulSet with OnDelete current, gives up on an unschedulable pod, knows no Ingress, no Gateway API
// and no autoscaler, ignores the observedGeneration of a condition, and asks the clock. It would add only one package
// and 73 KiB to the binary. But little of it would be left to call.
//
// The tests compare it with [Of]. They use v1.2.3, because v1.4.0 needs Go 1.27 and v1.3.0 upgrades modules of the
// product. The code of its package status is the same in v1.2.3 and v1.4.0.
package readiness
