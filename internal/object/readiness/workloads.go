package readiness

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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

// isRefusal reports whether a message is about a refusal of pods that is not temporary.
func isRefusal(message string) bool {
	return strings.Contains(message, "forbidden") && refusals.Passing(message, "") == nil
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
		reason := r.text("status", "reason")
		if reason == "" {
			reason = "PodFailed"
		}
		return lost(reason, "The pod has ended without success.")
	case "Succeeded":
		return ready("The pod has ended with success.")
	}
	if c := r.condition("PodScheduled"); c.isFalse() {
		return inProgress(reasonOf(c), saying("No node has been found for the pod", c.message))
	}
	return needs(r, "Ready")
}
