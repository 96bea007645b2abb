package readiness

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var (
	// starting are the reasons of a container that is being started.
	starting = []string{"", "ContainerCreating", "PodInitializing"}
	// shownReasons are the reasons of waiting containers whose messages the kubelet or the container runtime writes.
	// Other messages may quote output of a container, as that of a failed hook.
	shownReasons = []string{
		invalidImage, "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "ImageInspectError",
		"RegistryUnavailable", "SignatureValidationFailed", "CreateContainerConfigError", "CreateContainerError",
		"RunContainerError", "CreatePodSandboxError",
	}
	// neverRan are the reasons of a run that did not begin. The container runtime writes the message.
	neverRan = []string{"StartError", "ContainerCannotRun"}
)

// container is a container of a pod as its status and its spec describe it.
type container struct {
	name string
	// init is true for a container that has to end before the containers of the pod start.
	init             bool
	waiting, message string
	restarts         int64
	running          *presentRun
	// now is the run that has ended if the container does not start again, last the one before.
	now, last   *endedRun
	memoryLimit string
}

// presentRun is what the kubelet has found of the run of a container that goes on.
type presentRun struct{ ready, started bool }

// endedRun is a run of a container that has ended.
type endedRun struct {
	reason, message string
	exitCode        int64
}

// neverRan reports whether the last run of the container did not begin.
func (c container) neverRan() bool { return c.last != nil && slices.Contains(neverRan, c.last.reason) }

// cause returns why the container keeps its pod from being ready; false if it does not.
func (c container) cause(asked probes) (Cause, bool) {
	switch {
	case c.now != nil && c.now.exitCode != 0:
		return c.ended(c.now, PresentRun), true
	case c.running != nil && c.init:
		return Cause{
			Reason: "Running", Message: "it is an init container, and the pod starts when it has ended",
			Output: PresentRun,
		}, true
	case c.running != nil && c.running.ready:
		return Cause{}, false
	case c.running != nil && c.last != nil && c.last.reason == outOfMemory:
		return c.ended(c.last, PreviousRun), true
	case c.running != nil:
		because := asked.ofRunning(c.running.started)
		cause := Cause{Reason: "NotReady", Message: because.failing(), Output: PresentRun, Withheld: because.withheld}
		if c.last != nil {
			cause.ExitCode = &c.last.exitCode
		}
		return cause, true
	case slices.Contains(starting, c.waiting):
		return Cause{}, false
	case c.last != nil && c.waiting == crashing || c.neverRan():
		return c.crashed(asked), true
	}
	cause := Cause{Reason: c.waiting, Withheld: c.message != ""}
	if slices.Contains(shownReasons, c.waiting) {
		cause.Message, cause.Withheld = clip(c.message), false
	}
	if c.last != nil {
		cause.ExitCode = &c.last.exitCode
	}
	return cause, true
}

// crashed returns why a container waits to be started again.
func (c container) crashed(asked probes) Cause {
	cause := c.ended(c.last, PreviousRun)
	if cause.Message == "" {
		cause.Reason = c.waiting
	}
	if because := asked.thatRestarted(); cause.Message == "" && because.failed {
		cause.Message, cause.Withheld = because.failing(), because.withheld
	}
	return cause
}

// ended returns what is shown of a run that has ended.
func (c container) ended(run *endedRun, output Output) Cause {
	cause := Cause{Reason: run.reason, ExitCode: &run.exitCode, Output: output}
	switch {
	case slices.Contains(neverRan, run.reason):
		cause.Message, cause.Output = clip(run.message), NoOutput
	case run.reason == outOfMemory && c.memoryLimit == "":
		cause.Message = "it has no memory limit of its own"
	case run.reason == outOfMemory:
		cause.Message = "its memory limit is " + c.memoryLimit
	}
	return cause
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
			spec := specOf(r, c.text("name"))
			// An init container that always restarts is a sidecar: it runs next to the containers of the pod.
			all = append(all, container{
				name: c.text("name"), init: list == "initContainerStatuses" && spec.text("restartPolicy") != "Always",
				running: runningIn(c), waiting: c.text("state", "waiting", "reason"),
				message: c.text("state", "waiting", "message"), restarts: c.number(0, "restartCount"),
				now: endedIn(c, "state"), last: endedIn(c, "lastState"),
				memoryLimit: spec.text("resources", "limits", "memory"),
			})
		}
	}
	return all
}

// specOf returns the spec of a container of a pod; an empty one if the pod does not have it.
func specOf(pod *reader, name string) *reader {
	for _, list := range []string{"initContainers", "containers"} {
		for _, item := range pod.list("spec", list) {
			fields, _ := item.(map[string]any)
			if c := (&reader{object: fields}); c.text("name") == name {
				return c
			}
		}
	}
	return &reader{}
}

// runningIn returns the run that goes on, by a container's status; nil if none does.
func runningIn(c *reader) *presentRun {
	if !c.has("state", "running") {
		return nil
	}
	return &presentRun{ready: c.isTrue("ready"), started: c.isTrue("started")}
}

// endedIn returns the run that has ended by a field of a container's status; nil if none has.
func endedIn(c *reader, field string) *endedRun {
	if !c.has(field, "terminated", "exitCode") {
		return nil
	}
	return &endedRun{
		reason: c.text(field, "terminated", "reason"), message: c.text(field, "terminated", "message"),
		exitCode: c.number(0, field, "terminated", "exitCode"),
	}
}

// unhealthy is the reason of the kubelet's events about probes.
const unhealthy = "Unhealthy"

type probe struct {
	// kind is "readiness", for instance.
	kind string
	// what describes its request: "GET :8080/healthz". It is empty if the container has no probe of this kind.
	what string
	// failed is true if the kubelet has reported a failure, and said is its message.
	failed bool
	said   string
	// withheld is true if the message may quote the output of a container.
	withheld bool
}

type probes struct{ Startup, Liveness, Readiness probe }

// ofRunning returns the probe because of which a container that runs is not ready.
func (p probes) ofRunning(started bool) probe {
	switch {
	case !started && p.Startup.what != "":
		return p.Startup
	case !p.Readiness.failed && p.Liveness.failed:
		return p.Liveness
	}
	return p.Readiness
}

// thatRestarted returns the probe because of which the kubelet may have ended a container.
func (p probes) thatRestarted() probe {
	if !p.Liveness.failed {
		return p.Startup
	}
	return p.Liveness
}

// failing returns a phrase about a probe that fails or has not succeeded yet; "" if the container has no probe of this
// kind.
func (p probe) failing() string {
	switch {
	case p.what == "":
		return ""
	case !p.failed:
		return fmt.Sprintf("its %s probe (%s) has not succeeded", p.kind, p.what)
	case p.said == "":
		return fmt.Sprintf("its %s probe (%s) fails", p.kind, p.what)
	}
	return fmt.Sprintf("its %s probe (%s) fails: %s", p.kind, p.what, clip(p.said))
}

// probesOf returns the probes of a container, each with the failure that its newest event reports.
func probesOf(pod *unstructured.Unstructured, name string, events []*unstructured.Unstructured) probes {
	spec := specOf(&reader{object: pod.Object}, name)
	of := func(kind string) probe {
		p := probe{kind: kind, what: asked(spec, kind+"Probe")}
		newest := ""
		for _, event := range events {
			e := &reader{object: event.Object}
			said, is := strings.CutPrefix(e.text("message"), strings.ToUpper(kind[:1])+kind[1:]+" probe ")
			if !is || e.text("reason") != unhealthy || !isAbout(e, pod) || containerOf(e) != name ||
				p.failed && at(e) < newest {
				continue
			}
			// "failed: TEXT", or "errored and resulted in unknown state: TEXT"
			_, said, _ = strings.Cut(said, ": ")
			p.failed, p.said, newest = true, said, at(e)
		}
		p.withheld = p.said != "" && quotesContainer(p)
		if p.withheld {
			p.said = ""
		}
		return p
	}
	return probes{of("startup"), of("liveness"), of("readiness")}
}

// quotesContainer reports whether the message about a probe may quote the output of a container: that of a command, and
// messages of a gRPC server other than its status.
func quotesContainer(p probe) bool {
	switch {
	case strings.HasPrefix(p.what, "GET "), strings.HasPrefix(p.what, "TCP "):
		return false
	case strings.HasPrefix(p.what, "gRPC "):
		return !strings.HasPrefix(p.said, "service unhealthy (") && !strings.HasPrefix(p.said, "timeout: ")
	}
	return true
}

// asked describes what a probe asks; "" without one. It contains neither the command nor the query of a URL,
// which may hold secrets.
func asked(spec *reader, field string) string {
	port := func(names ...string) string { return fmt.Sprint(spec.value(append([]string{field}, names...)...)) }
	switch {
	case spec.has(field, "httpGet"):
		path, _, _ := strings.Cut(spec.text(field, "httpGet", "path"), "?")
		return "GET " + spec.text(field, "httpGet", "host") + ":" + port("httpGet", "port") + path
	case spec.has(field, "tcpSocket"):
		return "TCP " + spec.text(field, "tcpSocket", "host") + ":" + port("tcpSocket", "port")
	case spec.has(field, "grpc"):
		return strings.TrimSpace("gRPC :" + port("grpc", "port") + " " + spec.text(field, "grpc", "service"))
	case spec.has(field, "exec"):
		return "a command"
	case spec.has(field):
		return "of an unknown type"
	}
	return ""
}
