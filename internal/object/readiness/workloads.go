package readiness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
)

func deployment(r *reader) Status {
	if seen := observed(r); seen.State != Ready {
		return seen
	}
	want := r.number(1, "spec", "replicas")
	paused := r.isTrue("spec", "paused")
	if refused, is := podsRefused(r, r.number(0, "status", "replicas")-r.number(0, "status", "updatedReplicas")); is {
		return refused
	}
	if c := r.condition("Progressing"); !paused && c.isFalse() && c.reason == "ProgressDeadlineExceeded" {
		return failing(c, "The rollout made no progress before its deadline")
	}
	updated := r.number(0, "status", "updatedReplicas")
	available := r.number(0, "status", "availableReplicas")
	switch {
	case updated < want && paused:
		return inProgress("Paused", fmt.Sprintf("The rollout is paused with %d of %d new pods.", updated, want))
	case updated < want:
		return inProgress("PodsMissing", fmt.Sprintf("%d of %d new pods exist.", updated, want))
	case r.number(0, "status", "replicas") > updated:
		return inProgress("OldPods", oldPods(r.number(0, "status", "replicas")-updated))
	}
	return enough("new pods", min(available, updated), want)
}

// podsRefused returns the status of a workload whose pods the API server refuses, and false for any other. A temporary
// refusal does not end the wait, nor does a quota while old pods run: the controller ends some of them, which makes
// room.
func podsRefused(r *reader, old int64) (Status, bool) {
	c := r.condition("ReplicaFailure")
	if !c.isTrue() || c.reason != "FailedCreate" {
		return Status{}, false
	}
	mayPass := strings.Contains(c.message, "exceeded quota") && old > 0 && !r.condition("Progressing").isFalse()
	if isRefusal(c.message) && !mayPass {
		return failing(c, noNewPods), true
	}
	return inProgress(c.reason, saying(noNewPods, c.message)), true
}

const noNewPods = "The API server refuses new pods"

// isRefusal reports whether a message is about a refusal of pods, or of the claims of a StatefulSet, that is not
// temporary.
func isRefusal(message string) bool {
	return strings.Contains(message, "forbidden") && refusals.Passing(refusals.Quoted(message), "") == nil
}

// Refused returns the status of a workload of whose pods events since a time report that the API server refuses them,
// and false for any other. The controllers of Jobs, StatefulSets and DaemonSets report that nowhere else.
func Refused(object *unstructured.Unstructured, events []*unstructured.Unstructured, since time.Time) (Status, bool) {
	for _, event := range events {
		r := &reader{object: event.Object}
		seen, err := time.Parse(time.RFC3339, at(r))
		message := r.text("message")
		if err == nil && !seen.Before(since) && r.text("reason") == "FailedCreate" && isAbout(r, object) &&
			isRefusal(message) {
			return failed("FailedCreate", saying(noNewPods, message)), true
		}
	}
	return Status{}, false
}

func statefulSet(r *reader) Status {
	if seen := observed(r); seen.State != Ready {
		return seen
	}
	want := r.number(1, "spec", "replicas")
	updated := r.number(0, "status", "updatedReplicas")
	// Pods below the partition keep the old template.
	toUpdate := max(0, want-r.number(0, "spec", "updateStrategy", "rollingUpdate", "partition"))
	// With OnDelete the controller replaces no pod by itself, so a wait for new pods might never end.
	if r.text("spec", "updateStrategy", "type") != "OnDelete" && updated < toUpdate {
		return inProgress("PodsMissing", fmt.Sprintf("%d of %d new pods exist.", updated, toUpdate))
	}
	if extra := r.number(0, "status", "replicas") - want; extra > 0 {
		return inProgress("OldPods", oldPods(extra))
	}
	return enough("pods", r.readyOrAvailable(), want)
}

// readyOrAvailable counts pods. Without minReadySeconds a pod that is ready is available.
func (r *reader) readyOrAvailable() int64 {
	if r.number(0, "spec", "minReadySeconds") > 0 {
		return r.number(0, "status", "availableReplicas")
	}
	return r.number(0, "status", "readyReplicas")
}

func daemonSet(r *reader) Status {
	if seen := observed(r); seen.State != Ready {
		return seen
	}
	want := r.number(0, "status", "desiredNumberScheduled")
	updated := r.number(0, "status", "updatedNumberScheduled")
	if r.text("spec", "updateStrategy", "type") != "OnDelete" && updated < want {
		return inProgress("PodsMissing", fmt.Sprintf("%d of %d new pods exist.", updated, want))
	}
	return enough("pods", r.number(0, "status", "numberAvailable"), want)
}

func replicaSet(r *reader) Status {
	if seen := observed(r); seen.State != Ready {
		return seen
	}
	if refused, is := podsRefused(r, 0); is {
		return refused
	}
	want := r.number(1, "spec", "replicas")
	if extra := r.number(0, "status", "replicas") - want; extra > 0 {
		return inProgress("OldPods", oldPods(extra))
	}
	return enough("pods", r.number(0, "status", "availableReplicas"), want)
}

func oldPods(count int64) string {
	if count == 1 {
		return "1 old pod is still there."
	}
	return fmt.Sprintf("%d old pods are still there.", count)
}

func enough(what string, have, want int64) Status {
	message := fmt.Sprintf("%d of %d %s are ready.", have, want, what)
	if have < want {
		return inProgress("PodsNotReady", message)
	}
	return ready(message)
}

func job(r *reader) Status {
	want := r.number(r.number(1, "spec", "parallelism"), "spec", "completions")
	counts := fmt.Sprintf("%d of %d pods have succeeded", r.number(0, "status", "succeeded"), want)
	switch lost := r.number(0, "status", "failed"); lost {
	case 0:
	case 1:
		counts += ", and 1 has failed"
	default:
		counts += fmt.Sprintf(", and %d have failed", lost)
	}
	if c := r.condition("Failed"); c.isTrue() {
		return lost(reasonOf(c), saying("The job has failed", c.message))
	}
	switch {
	case r.condition("Complete").isTrue():
		return ready(counts + ".")
	case r.isTrue("spec", "suspend"):
		return inProgress("Suspended", "The job is suspended; "+counts+".")
	}
	return inProgress("Running", counts+".")
}

func pod(r *reader) Status {
	for _, c := range containers(r) {
		if c.waiting == invalidImage {
			return failed(invalidImage, saying("Container "+c.name+" has an image name that is not valid", c.message))
		}
	}
	switch phase := r.text("status", "phase"); phase {
	case "Failed":
		return lost(cmp.Or(r.text("status", "reason"), "PodFailed"), "The pod has ended without success.")
	case "Succeeded":
		return ready("The pod has ended with success.")
	}
	if c := r.condition("PodScheduled"); c.isFalse() {
		return inProgress(reasonOf(c), saying("No node has been found for the pod", c.message))
	}
	return needs(r, "Ready")
}

const (
	invalidImage = "InvalidImageName"
	crashing     = "CrashLoopBackOff"
	outOfMemory  = "OOMKilled"
	// pullPatience is the time for which the pulls of a pod have to fail before the wait gives up.
	pullPatience = time.Minute
	maxRestarts  = 3
	mostCauses   = 3
)

// Cause is why a pod is not ready. It contains nothing that a container wrote.
type Cause struct {
	Pod, Container, Reason, Message string
	// ExitCode is the exit code of the container's last run; nil if it did not run.
	ExitCode *int64
	// Output is where the container's output is, which Message does not quote.
	Output Output
	// Withheld is true if the kubelet reports more, which may quote the output of a container.
	Withheld bool
}

// Output is where the output of a container is.
type Output string

// The outputs of a container.
const (
	// NoOutput: the container has not run.
	NoOutput Output = ""
	// PresentRun: the container runs, or has ended and does not start again.
	PresentRun Output = "PresentRun"
	// PreviousRun: the container waits to be started again.
	PreviousRun Output = "PreviousRun"
)

// Trouble describes why pods are not ready.
type Trouble struct {
	// images is the failure of pods whose images cannot be had, and crashes that of pods that all crash. They are zero
	// if the pods may still start.
	images, crashes Status
	// Pulls are the pods for which a pull fails, by uid, each with the first look that found so without a break.
	Pulls map[types.UID]time.Time
	// Causes are at most three, with distinct reasons and containers.
	Causes []Cause
}

// Status returns Failed if the pods of a workload of this kind cannot start, and false if they still may. A Job decides
// by itself how often its pods may fail.
func (t Trouble) Status(kind string) (Status, bool) {
	if t.images == (Status{}) && kind != "Job" {
		return t.crashes, t.crashes != Status{}
	}
	return t.images, t.images != Status{}
}

// PodsTrouble returns why the new pods of a workload are not ready. events are the events of their namespace, or nil.
// pulls are the Pulls of the look before. At now, they are hopeless if those of one pod have failed for a minute.
func PodsTrouble(pods, events []*unstructured.Unstructured, pulls map[types.UID]time.Time, now time.Time) Trouble {
	found := Trouble{Pulls: map[types.UID]time.Time{}}
	crashed, ran, badImage, noPull, neverRan := 0, false, false, false, ""
	for _, object := range pods {
		r := &reader{object: object.Object}
		for _, cause := range podCauses(r) {
			cause.Pod = object.GetName()
			found.add(cause)
		}
		crashes := false
		for _, c := range containers(r) {
			if c.waiting == crashing && c.restarts >= maxRestarts {
				crashes = true
				if ran = ran || !c.neverRan(); !ran {
					neverRan = c.last.reason
				}
			}
			badImage = badImage || c.waiting == invalidImage
			if c.waiting == "ErrImagePull" || c.waiting == "ImagePullBackOff" {
				since := cmp.Or(pulls[object.GetUID()], now)
				found.Pulls[object.GetUID()] = since
				noPull = noPull || now.Sub(since) >= pullPatience
			}
			if cause, is := c.cause(probesOf(object, c.name, events)); is {
				cause.Pod, cause.Container = object.GetName(), c.name
				found.add(cause)
			}
		}
		if crashes {
			crashed++
		}
	}
	switch {
	case badImage:
		found.images = failed(invalidImage, "An image of its new pods has an invalid name.")
	case noPull:
		found.images = failed("ImagePullBackOff", "The images of its new pods cannot be pulled.")
	}
	switch {
	case crashed == 0 || crashed < len(pods):
	case ran:
		found.crashes = failed(crashing, "All its new pods crash again and again.")
	default:
		found.crashes = failed(neverRan, "A container of its new pods cannot be started.")
	}
	return found
}

// podCauses returns why a pod as a whole is not ready. The scheduler and the kubelet write these messages.
func podCauses(r *reader) []Cause {
	var all []Cause
	if c := r.condition("PodScheduled"); c.isFalse() {
		all = append(all, Cause{Reason: reasonOf(c), Message: clip(c.message)})
	}
	if c := r.condition("Ready"); c.isFalse() && c.reason == "ReadinessGatesNotReady" {
		all = append(all, Cause{Reason: c.reason, Message: clip(c.message)})
	}
	if reason := r.text("status", "reason"); reason != "" && r.text("status", "phase") == "Failed" {
		all = append(all, Cause{Reason: reason, Message: clip(r.text("status", "message"))})
	}
	return all
}

func (t *Trouble) add(cause Cause) {
	same := func(c Cause) bool { return c.Container == cause.Container && c.Reason == cause.Reason }
	if len(t.Causes) < mostCauses && !slices.ContainsFunc(t.Causes, same) {
		t.Causes = append(t.Causes, cause)
	}
}
