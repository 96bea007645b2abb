package operations

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

const (
	// restartManager owns the annotation.
	restartManager = "k8sconnect-restart"
	// RestartAnnotation is the one that kubectl rollout restart sets.
	RestartAnnotation = "kubectl.kubernetes.io/restartedAt"
)

// Restartable are the kinds of apps/v1 whose controllers replace pods when their template changes.
var Restartable = []string{"Deployment", "StatefulSet", "DaemonSet"}

// Refusal is why a workload is not restarted.
type Refusal string

// The reasons.
const (
	// Paused: the rollouts of the Deployment are paused.
	Paused Refusal = "Paused"
	// OnDelete: the controller of the workload replaces a pod only after it was deleted.
	OnDelete Refusal = "OnDelete"
	// Partition: the partition of the StatefulSet spares all pods.
	Partition Refusal = "Partition"
	// Declared: another manager applies the annotation.
	Declared Refusal = "Declared"
)

// NotRestartedError reports that a workload is not restarted. Nothing was changed.
type NotRestartedError struct {
	Object manifest.Identity
	Why    Refusal
	// By is the manager that applies the annotation.
	By string
}

func (e *NotRestartedError) Error() string {
	return e.Object.String() + " is not restarted: " + string(e.Why)
}

// Restart restarts the pods of a workload and returns it as the server answered: one GET and one PATCH. An error may be
// a [*NotRestartedError].
func Restart(
	ctx context.Context, api cluster.Interface, id manifest.Identity, now time.Time,
) (*unstructured.Unstructured, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := refuseRestart(id, live); err != nil {
		return live, err
	}
	opts := cluster.ApplyOptions{FieldManager: restartManager, Force: true}
	applied, err := api.Apply(ctx, id, annotated(live, moment(live, now)), opts)
	if err != nil {
		return live, err
	}
	return applied.Object, nil
}

func refuseRestart(id manifest.Identity, live *unstructured.Unstructured) error {
	paused, _, _ := unstructured.NestedBool(live.Object, "spec", "paused")
	partition, _, _ := unstructured.NestedInt64(live.Object, "spec", "updateStrategy", "rollingUpdate", "partition")
	replicas, _, _ := unstructured.NestedInt64(live.Object, "spec", "replicas")
	strategy, _, _ := unstructured.NestedString(live.Object, "spec", "updateStrategy", "type")
	switch {
	case id.Kind == "Deployment" && paused:
		return &NotRestartedError{Object: id, Why: Paused}
	case strategy == "OnDelete":
		return &NotRestartedError{Object: id, Why: OnDelete}
	case id.Kind == "StatefulSet" && partition > 0 && partition >= replicas:
		return &NotRestartedError{Object: id, Why: Partition}
	}
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return err
	}
	for _, holder := range claims.Holders(annotationPath) {
		if holder.Operation == metav1.ManagedFieldsOperationApply && holder.Name != restartManager {
			return &NotRestartedError{Object: id, Why: Declared, By: holder.Name}
		}
	}
	return nil
}

var (
	annotationFields = []string{"spec", "template", "metadata", "annotations", RestartAnnotation}
	annotationPath   = paths.FieldPath(annotationFields...)
)

// moment returns now as kubectl writes it, or a second later if the annotation has that value already: an equal value
// restarts nothing.
func moment(live *unstructured.Unstructured, now time.Time) string {
	before, _, _ := unstructured.NestedString(live.Object, annotationFields...)
	text := now.UTC().Format(time.RFC3339)
	if text == before {
		text = now.UTC().Add(time.Second).Format(time.RFC3339)
	}
	return text
}

func annotated(live *unstructured.Unstructured, at string) map[string]any {
	annotations := map[string]any{RestartAnnotation: at}
	return map[string]any{
		"apiVersion": live.GetAPIVersion(), "kind": live.GetKind(),
		"metadata": map[string]any{
			"name": live.GetName(), "namespace": live.GetNamespace(), "uid": string(live.GetUID()),
		},
		"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"annotations": annotations}}},
	}
}
