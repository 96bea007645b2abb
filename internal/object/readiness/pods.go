package readiness

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

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
