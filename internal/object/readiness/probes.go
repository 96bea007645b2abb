package readiness

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

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
