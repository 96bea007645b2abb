package readiness

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// toldEvents are the reasons of events whose messages never quote the output of a container. The message of a failed
// probe does.
var toldEvents = []string{
	"FailedScheduling", "FailedCreate", "FailedMount", "FailedAttachVolume", "FailedBinding", "ProvisioningFailed", "BackOff",
}

// Warnings returns the newest Warning events of an object and its parts as lines, the newest first, and one for each
// reason. It leaves out reasons that a condition of the object has, except toldEvents: a controller writes both, in
// either order.
func Warnings(object *unstructured.Unstructured, events []*unstructured.Unstructured, most int) []string {
	said := conditionReasons(object)
	type line struct{ at, reason, text string }
	var lines []line
	for _, event := range events {
		r := &reader{object: event.Object}
		if r.text("type") != "Warning" {
			continue
		}
		text := r.text("reason")
		switch {
		case slices.Contains(toldEvents, text):
			text += ": " + clip(r.text("message"))
		case slices.Contains(said, text):
			continue
		}
		if times := r.number(1, "count"); times > 1 {
			text += fmt.Sprintf(" (%d times)", times)
		}
		// The times of one server's events sort as strings.
		at := max(r.text("lastTimestamp"), r.text("eventTime"), r.text("series", "lastObservedTime"))
		lines = append(lines, line{at, r.text("reason"), wrap(text)})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return strings.Compare(b.at, a.at) })
	var texts, reasons []string
	for _, l := range lines {
		if len(texts) < most && !slices.Contains(reasons, l.reason) {
			texts, reasons = append(texts, l.text), append(reasons, l.reason)
		}
	}
	return texts
}

// conditionReasons returns the reasons of all conditions of an object.
func conditionReasons(object *unstructured.Unstructured) []string {
	r := &reader{object: object.Object}
	var reasons []string
	for _, item := range r.list("status", "conditions") {
		found, _ := r.conditionIn(item)
		reasons = append(reasons, found.reason)
	}
	return reasons
}
