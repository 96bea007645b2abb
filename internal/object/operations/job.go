package operations

import (
	"context"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

const (
	// JobAPIVersion is the version of Jobs and CronJobs.
	JobAPIVersion = "batch/v1"
	// JobKind is the kind of the object that is started.
	JobKind = "Job"

	// jobManager owns what is applied.
	jobManager = "k8sconnect-run-job"
	// startedByHand marks a Job of a CronJob that was started by hand.
	startedByHand = "cronjob.kubernetes.io/instantiate"

	jobSuffixLength = 5
	// longestJobName leaves room for the names of the Job's pods.
	longestJobName = 63
)

// JobFromCronJob returns the Job that a CronJob would start: one GET.
func JobFromCronJob(ctx context.Context, api cluster.Interface, id manifest.Identity) (map[string]any, error) {
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
	annotations[startedByHand] = "manual"
	metadata := map[string]any{
		"name": id.Name, "namespace": id.Namespace, "annotations": annotations,
		"ownerReferences": []any{map[string]any{
			"apiVersion": JobAPIVersion, "kind": live.GetKind(), "name": live.GetName(), "uid": string(live.GetUID()),
			"controller": true,
		}},
	}
	if len(labels) > 0 {
		metadata["labels"] = labels
	}
	return map[string]any{"apiVersion": JobAPIVersion, "kind": JobKind, "metadata": metadata, "spec": spec}, nil
}

// NameJob gives the Job in body the name of a run, which begins with the Job's own name, and returns the Job's
// identity. body is mutated.
func NameJob(ctx context.Context, api cluster.Interface, body map[string]any) (manifest.Identity, error) {
	job := unstructured.Unstructured{Object: body}
	id, err := cluster.Locate(ctx, api, manifest.Identity{
		APIVersion: JobAPIVersion, Kind: JobKind, Namespace: job.GetNamespace(), Name: jobName(job.GetName()),
	})
	if err != nil {
		return id, err
	}
	job.SetName(id.Name)
	job.SetNamespace(id.Namespace)
	return id, nil
}

// StartJob creates a Job: one PATCH, and a GET if its answer is lost. The error is a [*cluster.OutcomeUnknownError] if
// it is unknown whether the Job exists.
func StartJob(
	ctx context.Context, api cluster.Interface, id manifest.Identity, body map[string]any,
) (*unstructured.Unstructured, error) {
	applied, err := cluster.Create(ctx, api, id, body, jobManager)
	if found, isTaken := errors.AsType[*cluster.TakenError](err); isTaken {
		record.GiveBack(ctx, api, found, jobManager)
		err = &cluster.Error{
			Reason: cluster.ReasonConflict, Object: id, Message: "another Job has its random name, and was not touched",
		}
	}
	return applied.Object, err
}

// KeepJobFor sets for how many seconds a Job that has ended stays.
func KeepJobFor(body map[string]any, seconds int64) {
	_ = unstructured.SetNestedField(body, seconds, "spec", "ttlSecondsAfterFinished")
}

// jobName returns a name that begins with prefix and ends with a random suffix.
func jobName(prefix string) string {
	prefix += "-"
	if most := longestJobName - jobSuffixLength; len(prefix) > most {
		prefix = prefix[:most]
	}
	return prefix + rand.String(jobSuffixLength)
}

// JobSecrecy knows the secret values of a Job. It implements [cluster.Secrecy].
type JobSecrecy struct {
	// Values are those that no message may have.
	Values    rendering.Secrets
	sensitive paths.Patterns
}

// SecrecyOf returns the secrecy of a Job. sensitive are patterns that parse.
func SecrecyOf(body map[string]any, sensitive []string) JobSecrecy {
	metadata, _ := body["metadata"].(map[string]any)
	id := manifest.Identity{APIVersion: JobAPIVersion, Kind: JobKind}
	id.Namespace, _ = metadata["namespace"].(string)
	id.Name, _ = metadata["name"].(string)
	patterns := paths.PatternsOf(sensitive).Cautious()
	return JobSecrecy{rendering.Renderer{Sensitive: patterns}.Secrets(id.String(), body), patterns}
}

// SecrecyBeside returns the secrecy of a Job that may print values of other objects, which are secret.
func SecrecyBeside(others []manifest.Manifest) JobSecrecy {
	var names strings.Builder
	var bodies []map[string]any
	for _, other := range others {
		names.WriteString(other.String() + " ")
		bodies = append(bodies, other.Object)
	}
	renderer := rendering.Renderer{Secret: true, Sensitive: paths.PatternsOf([]string{"spec"})}
	return JobSecrecy{Values: renderer.Secrets(names.String(), bodies...)}
}

// HasSecrets implements [cluster.Secrecy].
func (s JobSecrecy) HasSecrets() bool { return len(s.sensitive) > 0 }

// Field implements [cluster.Secrecy].
func (s JobSecrecy) Field(field string, unknown bool) string {
	return rendering.Field(s.sensitive, field, unknown)
}

// OwnedField implements [cluster.Secrecy].
func (s JobSecrecy) OwnedField(field string) string { return rendering.OwnedField(s.sensitive, field) }

// Show implements [cluster.Secrecy].
func (s JobSecrecy) Show(remark cluster.Remark) string {
	return manifest.Printable(s.Values.Scrub(remark.Text))
}

// See implements [cluster.Secrecy].
func (JobSecrecy) See(manifest.Identity, map[string]any, bool) {}
