package readiness

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// State is the progress of an object.
type State string

// The states of an object.
const (
	Ready      State = "Ready"
	InProgress State = "InProgress"
	// Failed is an object that does not become ready unless it, or something that it depends on, is changed.
	Failed State = "Failed"
)

// Status is the progress of an object, with the reason.
type Status struct {
	State State
	// Reason is one word in CamelCase, the controller's own if it has one.
	Reason string
	// Message is one sentence, in lines of at most 80 columns if words allow it.
	Message string
	// Condition is the condition that reports a failure, with the times of its last change; "" if none does. The
	// failure may pass if State is InProgress.
	Condition string
	// Final is true if no change can make the object ready any more, as after a Job has failed. Other failures end with
	// their cause.
	Final bool
}

func ready(message string) Status { return status(Ready, "Ready", message) }

func inProgress(reason, message string) Status { return status(InProgress, reason, message) }

func failed(reason, message string) Status { return status(Failed, reason, message) }

// failing returns a failure that a condition reports.
func failing(c condition, sentence string) Status {
	s := failed(reasonOf(c), saying(sentence, c.message))
	s.Condition = c.id()
	return s
}

// lost returns a failure that is final.
func lost(reason, message string) Status {
	s := failed(reason, message)
	s.Final = true
	return s
}

func status(state State, reason, message string) Status {
	return Status{State: state, Reason: reason, Message: Wrap(message)}
}

const (
	// columns fit into a terminal of 80, together with the frame of the CLI and an indent. The CLI would break a longer
	// line after a word or two.
	columns    = 72
	longestSay = 300
)

// Wrap breaks a string between words into lines, which fit into a terminal.
func Wrap(text string) string {
	var lines strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		width := len([]rune(word))
		switch {
		case column == 0:
		case column+1+width > columns:
			lines.WriteByte('\n')
			column = 0
		default:
			lines.WriteByte(' ')
			column++
		}
		lines.WriteString(word)
		column += width
	}
	return lines.String()
}

// saying appends a controller's message to a sentence.
func saying(sentence, said string) string {
	said = clip(said)
	if said == "" {
		return sentence + "."
	}
	return sentence + ": " + strings.TrimSuffix(said, ".") + "."
}

// clip returns a string on one line, without its end if it is long.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if all := []rune(text); len(all) > longestSay {
		return string(all[:longestSay]) + "..."
	}
	return text
}

var jobs = schema.GroupKind{Group: "batch", Kind: "Job"}

// kinds maps each kind that this package knows to its function.
var kinds = map[schema.GroupKind]func(*reader) Status{
	{Group: "apps", Kind: "Deployment"}:                               deployment,
	{Group: "apps", Kind: "StatefulSet"}:                              statefulSet,
	{Group: "apps", Kind: "DaemonSet"}:                                daemonSet,
	{Group: "apps", Kind: "ReplicaSet"}:                               replicaSet,
	{Kind: "Pod"}:                                                     pod,
	jobs:                                                              job,
	{Group: "batch", Kind: "CronJob"}:                                 exists,
	{Kind: "Service"}:                                                 service,
	{Kind: "PersistentVolumeClaim"}:                                   volumeClaim,
	{Kind: "Namespace"}:                                               namespace,
	{Group: "networking.k8s.io", Kind: "Ingress"}:                     ingress,
	{Group: "gateway.networking.k8s.io", Kind: "Gateway"}:             gateway,
	{Group: "gateway.networking.k8s.io", Kind: "HTTPRoute"}:           route,
	{Group: "gateway.networking.k8s.io", Kind: "GRPCRoute"}:           route,
	{Group: "gateway.networking.k8s.io", Kind: "TLSRoute"}:            route,
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: definition,
	{Group: "apiregistration.k8s.io", Kind: "APIService"}:             apiService,
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}:           autoscaler,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                    observed,
	{Group: "cert-manager.io", Kind: "Certificate"}:                   reported,
	{Group: "cert-manager.io", Kind: "CertificateRequest"}:            reported,
	{Group: "cert-manager.io", Kind: "ClusterIssuer"}:                 reported,
	{Group: "cert-manager.io", Kind: "Issuer"}:                        reported,
	{Group: "external-secrets.io", Kind: "ClusterSecretStore"}:        reported,
	{Group: "external-secrets.io", Kind: "ExternalSecret"}:            reported,
	{Group: "external-secrets.io", Kind: "SecretStore"}:               reported,
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}:            reported,
	{Group: "keda.sh", Kind: "ScaledJob"}:                             reported,
	{Group: "keda.sh", Kind: "ScaledObject"}:                          reported,
	{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}:     reported,
	{Group: "serving.knative.dev", Kind: "Service"}:                   reported,
	{Group: "source.toolkit.fluxcd.io", Kind: "Bucket"}:               reported,
	{Group: "source.toolkit.fluxcd.io", Kind: "GitRepository"}:        reported,
	{Group: "source.toolkit.fluxcd.io", Kind: "HelmChart"}:            reported,
	{Group: "source.toolkit.fluxcd.io", Kind: "OCIRepository"}:        reported,
	{Group: "argoproj.io", Kind: "Application"}:                       application,
	{Group: "argoproj.io", Kind: "Rollout"}:                           rollout,
}

// Of returns the status that an object itself shows. hasStatus is true if its kind has a status subresource. It matters
// for kinds that this package does not know: if the kind has one and the object contains no status, no controller has
// seen the object yet.
func Of(object *unstructured.Unstructured, hasStatus bool) Status {
	r := &reader{object: object.Object}
	found := r.judge(object.GroupVersionKind().GroupKind(), hasStatus)
	if r.wrong != "" {
		return inProgress("UnexpectedType", fmt.Sprintf("Field %s has a value of an unexpected type.", r.wrong))
	}
	return found
}

// IsCompletedJob reports whether an object is a Job that has ended with success.
func IsCompletedJob(object *unstructured.Unstructured) bool {
	return object.GroupVersionKind().GroupKind() == jobs && Of(object, true).State == Ready
}

func (r *reader) judge(kind schema.GroupKind, hasStatus bool) Status {
	if r.has("metadata", "deletionTimestamp") {
		// A Job can be deleted because it has ended.
		if kind == jobs {
			if ended := job(r); ended.State != InProgress {
				return ended
			}
		}
		return inProgress("Deleting", "The object is being deleted.")
	}
	if r.isBehind() {
		return notObserved()
	}
	if judge, known := kinds[kind]; known {
		return judge(r)
	}
	if hasStatus && !r.has("status") {
		return notObserved()
	}
	return byConditions(r)
}

// NotObserved is the Reason of a status while the controller has not seen the latest change.
const NotObserved = "NotObserved"

func notObserved() Status {
	return inProgress(NotObserved, "The controller has not seen the latest change yet.")
}

func exists(*reader) Status { return ready("The object exists.") }

// observed returns the status of a kind whose controller always writes observedGeneration.
func observed(r *reader) Status {
	if !r.has("status", "observedGeneration") {
		return notObserved()
	}
	return ready("The controller has seen the latest change.")
}

// reported returns the status of a kind whose controllers always report Ready, and possibly something else before:
// cert-manager first writes that it issues a Certificate.
func reported(r *reader) Status {
	if found := byConditions(r); found.State != Ready {
		return found
	}
	return needs(r, "Ready")
}

// byConditions returns the status of every other kind.
func byConditions(r *reader) Status {
	// Stalled and Reconciling are conventions of kstatus, which controllers of many kinds follow.
	if stalled := r.condition("Stalled"); stalled.isTrue() {
		return failing(stalled, "The controller has given up")
	}
	if reconciling := r.condition("Reconciling"); reconciling.isTrue() {
		return inProgress(reasonOf(reconciling), saying("The controller is still working", reconciling.message))
	}
	for _, item := range r.conditions() {
		if found, _ := r.conditionIn(item); found.kind == "Ready" {
			return needs(r, "Ready")
		}
	}
	return exists(r)
}

// needs returns Ready if all conditions of these types are true.
func needs(r *reader, types ...string) Status {
	for _, kind := range types {
		if c := r.condition(kind); !c.isTrue() {
			return inProgress(reasonOf(c), saying("Condition "+kind+" is not true yet", c.message))
		}
	}
	return ready("All conditions are true.")
}

func reasonOf(c condition) string {
	if c.reason == "" {
		return "Not" + c.kind
	}
	return c.reason
}
