package readiness

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

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
