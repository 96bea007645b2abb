package cluster

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Ending describes what blocks the end of a terminating object.
type Ending struct {
	Object manifest.Identity
	// Since is when it was deleted.
	Since time.Time
	// Finalizers are those that the object still has, without the one that every namespace has.
	Finalizers []Finalizer
	// Grace is its grace period; 0 if it has none.
	Grace time.Duration
	// Conditions are the first ones: "Ready=False (Stuck): the message". Those of a namespace are true.
	Conditions []string
	// Unavailable are the aggregated APIs that do not answer, if a namespace stays because of them.
	Unavailable []UnavailableAPIError
	// Nodes are those of the pods that a namespace still has, or the one of a pod.
	Nodes []NodeOfPods
}

// NodeOfPods is a node with pods that have to end.
type NodeOfPods struct {
	Name, Namespace string
	// Problem is the reason why the node will not report that the pods have ended, "does not exist" for instance; "" if
	// it may report that.
	Problem string
	Pods    []string
}

// mostPods is how many pods of a node are named.
const mostPods = 5

// Named returns the first pods of a node by their names, and how many more there are.
func (n NodeOfPods) Named() (pods []string, more int) {
	return n.Pods[:min(mostPods, len(n.Pods))], max(0, len(n.Pods)-mostPods)
}

// String returns "the pods a, b are on the node n, which does not exist".
func (n NodeOfPods) String() string {
	pods, more := n.Named()
	text := "the pods " + strings.Join(pods, ", ")
	switch {
	case len(n.Pods) == 1:
		text = "the pod " + n.Pods[0] + " is"
	case more > 0:
		text += fmt.Sprintf(" and %d more are", more)
	default:
		text += " are"
	}
	if text += " on the node " + n.Name; n.Problem != "" {
		text += ", which " + n.Problem
	}
	return text
}

// Finalizer is a finalizer of an object, with the managers that set it.
type Finalizer struct {
	Name  string
	SetBy []string
	// IsRemovable is true if it may be removed by force.
	IsRemovable bool
}

// UnavailableAPIError is an APIService that does not answer.
type UnavailableAPIError struct {
	// Name is the name of the APIService, and Service "namespace/name" of the Service behind it; "" if it names none.
	Name, Service string
}

func (a UnavailableAPIError) Error() string {
	text := "the APIService " + a.Name + " is not available"
	if a.Service != "" {
		text += " (service " + a.Service + ")"
	}
	return text
}

// essential are the finalizers without which the server would do harm: it would delete dependents that have to stay, or
// keep objects of a deleted kind in etcd, where no client sees them.
var essential = []string{metav1.FinalizerOrphanDependents, "customresourcecleanup.apiextensions.k8s.io"}

// IsEssential reports whether a finalizer may not be removed by force.
func IsEssential(finalizer string) bool { return slices.Contains(essential, finalizer) }

// String returns what blocks the deletion: "it still has the finalizer example.com/a (set by operator)"; "" if nothing
// is known to block it.
func (e Ending) String() string {
	var held []string
	if len(e.Finalizers) > 0 {
		held = append(held, "it still has the "+namesOf(e.Finalizers))
	}
	if e.Grace > 0 {
		held = append(held, fmt.Sprintf("it has a grace period of %d s", int(e.Grace.Seconds())))
	}
	for _, node := range e.Nodes {
		held = append(held, node.String())
	}
	held = append(held, e.Conditions...)
	for _, api := range e.Unavailable {
		held = append(held, api.Error())
	}
	return strings.Join(held, "; ")
}

// namesOf returns finalizers, each with the managers that set it.
func namesOf(finalizers []Finalizer) string {
	named := make([]string, len(finalizers))
	for i, finalizer := range finalizers {
		named[i] = finalizer.Name
		if len(finalizer.SetBy) > 0 {
			named[i] += " (set by " + strings.Join(finalizer.SetBy, ", ") + ")"
		}
	}
	if len(named) == 1 {
		return "finalizer " + named[0]
	}
	return "finalizers " + strings.Join(named, ", ")
}

// DeletionBlockedError contains the details of ReasonDeletionBlocked: the causes that block the deletion.
type DeletionBlockedError struct {
	Ending Ending
	// Manager is the field manager of the resource that deletes the object; "" if it is not known.
	Manager string
}

func (e *DeletionBlockedError) Error() string { return e.Ending.String() }

// Own returns the finalizers that the resource itself has set, and no other manager.
func (e *DeletionBlockedError) Own() []string {
	var names []string
	for _, finalizer := range e.Ending.Finalizers {
		if slices.Equal(finalizer.SetBy, []string{e.Manager}) {
			names = append(names, finalizer.Name)
		}
	}
	return names
}

// NamespaceTerminatingError is the end of a namespace in which nothing can be created; nil if it could not be read.
type NamespaceTerminatingError struct{ Ending *Ending }

func (e *NamespaceTerminatingError) Error() string { return "the namespace is terminating" }
