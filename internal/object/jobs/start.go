// Package jobs starts Jobs: from the template of a CronJob, as kubectl create job --from does, or from a manifest.
//
// # Names
//
// Each run has a name of its own: the given name with a random suffix, as the API server generates it. The suffix is made here, so that a
// Job whose create got no answer can be looked for, and is not started twice.
//
// # What remains
//
// A Job from a CronJob counts as one of the CronJob's own: the CronJob's history limits delete it, and so does the deletion of the
// CronJob. Any other Job stays unless it has ttlSecondsAfterFinished.
package jobs

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/creating"
)

const (
	// APIVersion is the version of Jobs and CronJobs.
	APIVersion = "batch/v1"
	// Kind is what is started.
	Kind = "Job"

	// fieldManager owns what is applied.
	fieldManager = "k8sconnect-run-job"
	// manual marks a Job of a CronJob that somebody has started.
	manual = "cronjob.kubernetes.io/instantiate"

	suffixLength = 5
	// longestName leaves room for the names of the Job's pods.
	longestName = 63
)

// FromCronJob returns the Job that a CronJob would start: one GET.
func FromCronJob(ctx context.Context, api cluster.Interface, id manifest.Identity) (map[string]any, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	spec, _, _ := unstructured.NestedMap(live.Object, "spec", "jobTemplate", "spec")
	labels, _, _ := unstructured.NestedMap(live.Object, "spec", "jobTemplate", "metadata", "labels")
	annotations, _, _ := unstructured.NestedMap(live.Object, "spec", "jobTemplate", "metadata", "annotations")
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[manual] = "manual"
	metadata := map[string]any{
		"name": id.Name, "namespace": id.Namespace, "annotations": annotations,
		"ownerReferences": []any{map[string]any{
			"apiVersion": APIVersion, "kind": live.GetKind(), "name": live.GetName(), "uid": string(live.GetUID()), "controller": true,
		}},
	}
	if len(labels) > 0 {
		metadata["labels"] = labels
	}
	return map[string]any{"apiVersion": APIVersion, "kind": Kind, "metadata": metadata, "spec": spec}, nil
}

// Name gives the Job in body the name of a run, which begins with the Job's own name, and returns the Job's identity.
// body is mutated.
func Name(ctx context.Context, api cluster.Interface, body map[string]any) (manifest.Identity, error) {
	job := unstructured.Unstructured{Object: body}
	id, err := cluster.Locate(ctx, api, manifest.Identity{APIVersion: APIVersion, Kind: Kind, Namespace: job.GetNamespace(), Name: nameFrom(job.GetName())})
	if err != nil {
		return id, err
	}
	job.SetName(id.Name)
	job.SetNamespace(id.Namespace)
	return id, nil
}

// Start creates a Job: one PATCH, and a GET if its answer is lost. The error is a *cluster.OutcomeUnknownError if nobody can tell whether
// the Job exists.
func Start(ctx context.Context, api cluster.Interface, id manifest.Identity, body map[string]any) (*unstructured.Unstructured, error) {
	applied, err := creating.Apply(ctx, api, id, body, fieldManager)
	if _, isTaken := errors.AsType[*creating.TakenError](err); isTaken {
		err = &cluster.Error{Reason: cluster.ReasonConflict, Object: id, Message: "another Job has its random name, and was not touched"}
	}
	return applied.Object, err
}

// KeepFor sets for how many seconds a Job that has ended stays.
func KeepFor(body map[string]any, seconds int64) {
	_ = unstructured.SetNestedField(body, seconds, "spec", "ttlSecondsAfterFinished")
}

// nameFrom returns a name that begins with prefix and ends with a random suffix.
func nameFrom(prefix string) string {
	prefix += "-"
	if most := longestName - suffixLength; len(prefix) > most {
		prefix = prefix[:most]
	}
	return prefix + rand.String(suffixLength)
}
