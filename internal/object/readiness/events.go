package readiness

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// toldEvents are the reasons of events whose messages never quote the output of a container. The message of a failed
// probe or hook does.
var toldEvents = []string{
	"FailedScheduling", "FailedCreate", "FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedBinding",
	"ProvisioningFailed", "BackOff", "InspectFailed", "ErrImageNeverPull", "FailedToRetrieveImagePullSecret",
	"FailedCreatePodSandBox", "NetworkNotReady", "Evicted", "Preempted", "NodeNotReady", "TaintManagerEviction",
}

// Event is a warning about an object or a part of it.
type Event struct {
	// Text contains the reason, the part of the object if the event is about one, and the message, in lines.
	Text string
	// Withheld is true if Text lacks the message because that may quote the output of a container.
	Withheld bool
	// Of is the object that the event is about.
	Of manifest.Identity
}

// Warnings returns the newest Warning events about an object and its parts, the newest first, and one for each reason:
// the one about a pod that the causes name, if there is one.
// It leaves out what the causes and the conditions of the object report: a controller writes both, in either order.
func Warnings(
	object *unstructured.Unstructured, parts, events []*unstructured.Unstructured, causes []Cause, most int,
) []Event {
	said := conditionReasons(object)
	type line struct {
		at, reason string
		event      Event
	}
	var lines []line
	for _, event := range events {
		r := &reader{object: event.Object}
		part := subjectOf(r, append([]*unstructured.Unstructured{object}, parts...))
		if r.text("type") != "Warning" || part == nil || isTold(r, causes) {
			continue
		}
		reason, told := r.text("reason"), isToldEvent(r)
		if !told && slices.Contains(said, reason) {
			continue
		}
		text := reason
		if part != object {
			text += fmt.Sprintf(" (%s %s)", strings.ToLower(part.GetKind()), part.GetName())
		}
		if told {
			text += ": " + clip(r.text("message"))
		}
		if times := r.number(1, "count"); times > 1 {
			text += fmt.Sprintf(" (%d times)", times)
		}
		lines = append(lines, line{at(r), reason, Event{
			Text: Wrap(text), Withheld: !told && r.text("message") != "", Of: manifest.IdentityOf(part),
		}})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return strings.Compare(b.at, a.at) })
	var newest []Event
	var reasons []string
	for _, l := range lines {
		if len(newest) == most || slices.Contains(reasons, l.reason) {
			continue
		}
		isNamed := func(o line) bool {
			isPod := func(c Cause) bool { return c.Pod == o.event.Of.Name }
			return o.reason == l.reason && slices.ContainsFunc(causes, isPod)
		}
		if i := slices.IndexFunc(lines, isNamed); i >= 0 {
			l = lines[i]
		}
		newest, reasons = append(newest, l.event), append(reasons, l.reason)
	}
	return newest
}

// isToldEvent reports whether the message of an event is shown. The kubelet's events Failed are about images and about
// containers that the runtime could not create or start.
func isToldEvent(r *reader) bool {
	reason := r.text("reason")
	return slices.Contains(toldEvents, reason) ||
		reason == "Failed" && r.text("involvedObject", "kind") == "Pod" && reporter(r) == "kubelet"
}

// isTold reports whether the causes report what an event reports.
func isTold(r *reader, causes []Cause) bool {
	reason, message := r.text("reason"), r.text("message")
	repeats := slices.Contains([]string{"Error: ErrImagePull", "Error: ImagePullBackOff"}, message)
	container := containerOf(r)
	return slices.ContainsFunc(causes, func(c Cause) bool {
		switch {
		case c.Message != "" && strings.Contains(message, strings.TrimSuffix(c.Message, "...")):
			return true
		case reason == "FailedScheduling" && c.Reason == "Unschedulable":
			return true // Each pod without a node is a cause: the event is of an earlier attempt.
		case container == "" || container != c.Container:
			return false
		case reason == unhealthy:
			return strings.Contains(c.Message, " probe (")
		}
		return reason == "BackOff" || reason == "Failed" && repeats
	})
}

// subjectOf returns the one of some objects that an event is about; nil if it is about another object.
func subjectOf(event *reader, objects []*unstructured.Unstructured) *unstructured.Unstructured {
	for _, object := range objects {
		if isAbout(event, object) {
			return object
		}
	}
	return nil
}

// isAbout reports whether an event is about an object. Any object of the name fits an object without a uid.
func isAbout(event *reader, object *unstructured.Unstructured) bool {
	uid := event.text("involvedObject", "uid")
	return event.text("involvedObject", "kind") == object.GetKind() &&
		event.text("involvedObject", "name") == object.GetName() &&
		(uid == "" || object.GetUID() == "" || uid == string(object.GetUID()))
}

// containerOf returns the container that an event of the kubelet is about; "" if it is about none.
func containerOf(event *reader) string {
	_, name, _ := strings.Cut(event.text("involvedObject", "fieldPath"), "{")
	return strings.TrimSuffix(name, "}")
}

// reporter returns which component wrote an event.
func reporter(event *reader) string {
	if component := event.text("source", "component"); component != "" {
		return component
	}
	return event.text("reportingComponent")
}

// at returns when an event was seen last. The times of one server's events sort as strings.
func at(event *reader) string {
	return max(event.text("lastTimestamp"), event.text("eventTime"), event.text("series", "lastObservedTime"))
}

func conditionReasons(object *unstructured.Unstructured) []string {
	r := &reader{object: object.Object}
	var reasons []string
	for _, item := range r.conditions() {
		found, _ := r.conditionIn(item)
		reasons = append(reasons, found.reason)
	}
	return reasons
}
