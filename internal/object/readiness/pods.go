package readiness

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	invalidImage = "InvalidImageName"
	crashing     = "CrashLoopBackOff"
	// pullPatience is the time for which pulls of images have to fail before the wait gives up.
	pullPatience  = time.Minute
	maxRestarts   = 3
	mostCauses    = 3
	unschedulable = "Unschedulable"
)

// shownReasons are the reasons whose messages the kubelet or the scheduler writes. Other messages may quote output of a
// container.
var shownReasons = []string{invalidImage, "ErrImagePull", "ImagePullBackOff", "CreateContainerConfigError", unschedulable}

// Cause is why a pod is not ready. It contains nothing that a container wrote.
type Cause struct {
	Pod, Container, Reason, Message string
	// ExitCode is the exit code of the container's last run; nil if it did not run.
	ExitCode *int64
}

// Trouble describes why pods are not ready.
type Trouble struct {
	badImage, pullsFailed, allCrash bool
	// PullsFail is true if some pull fails. The caller measures for how long.
	PullsFail bool
	// Causes are at most three, with distinct reasons and containers.
	Causes []Cause
}

// Status returns Failed if the pods of a workload of this kind cannot start, and false if they still may. A Job decides
// by itself how often its pods may fail.
func (t Trouble) Status(kind string) (Status, bool) {
	switch {
	case t.badImage:
		return failed(invalidImage, "An image of its new pods has an invalid name."), true
	case t.pullsFailed:
		return failed("ImagePullBackOff", "The images of its new pods cannot be pulled."), true
	case t.allCrash && kind != "Job":
		return failed(crashing, "All its new pods crash again and again."), true
	default:
		return Status{}, false
	}
}

// PodsTrouble returns why the new pods of a workload are not ready. pullsFail is how long PullsFail has held without a
// break.
func PodsTrouble(pods []*unstructured.Unstructured, pullsFail time.Duration) Trouble {
	var found Trouble
	crashed := 0
	for _, object := range pods {
		r := &reader{object: object.Object}
		if c := r.condition("PodScheduled"); c.isFalse() {
			found.add(Cause{Pod: object.GetName(), Reason: reasonOf(c), Message: safe(c.reason, c.message)})
		}
		crashes := false
		for _, c := range containers(r) {
			if c.waiting == "" || c.waiting == "ContainerCreating" || c.waiting == "PodInitializing" {
				continue
			}
			crashes = crashes || c.waiting == crashing && c.restarts >= maxRestarts
			found.badImage = found.badImage || c.waiting == invalidImage
			found.PullsFail = found.PullsFail || c.waiting == "ErrImagePull" || c.waiting == "ImagePullBackOff"
			found.add(Cause{object.GetName(), c.name, c.waiting, safe(c.waiting, c.message), c.exitCode})
		}
		if crashes {
			crashed++
		}
	}
	found.pullsFailed = found.PullsFail && pullsFail >= pullPatience
	found.allCrash = crashed > 0 && crashed == len(pods)
	return found
}

func safe(reason, message string) string {
	if slices.Contains(shownReasons, reason) {
		return clip(message)
	}
	return ""
}

func (t *Trouble) add(cause Cause) {
	same := func(c Cause) bool { return c.Container == cause.Container && c.Reason == cause.Reason }
	if len(t.Causes) < mostCauses && !slices.ContainsFunc(t.Causes, same) {
		t.Causes = append(t.Causes, cause)
	}
}

type container struct {
	name, waiting, message string
	restarts               int64
	exitCode               *int64
}

func containers(r *reader) []container {
	var all []container
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, item := range r.list("status", list) {
			fields, isMap := item.(map[string]any)
			if !isMap {
				r.mistyped([]string{"status", list})
				continue
			}
			c := &reader{object: fields}
			read := container{
				c.text("name"), c.text("state", "waiting", "reason"), c.text("state", "waiting", "message"),
				c.number(0, "restartCount"), nil,
			}
			if c.has("lastState", "terminated", "exitCode") {
				code := c.number(0, "lastState", "terminated", "exitCode")
				read.exitCode = &code
			}
			all = append(all, read)
		}
	}
	return all
}
