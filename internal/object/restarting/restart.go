// Package restarting restarts the pods of a workload as kubectl rollout restart does: it annotates the pod template, and the workload's
// controller replaces the pods.
//
// # Who owns the annotation
//
// A field manager of its own applies the annotation and nothing else. No other manager loses a field that it applies: the next apply of
// the workload's manifest neither conflicts with the annotation nor removes it. If another manager applies the annotation, a restart is
// refused, because the next apply of that manager would set it back and restart the pods again. An annotation that kubectl rollout
// restart has left is taken over.
//
// The apply carries the uid of the object, so that it never creates one.
package restarting

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
	// FieldManager owns the annotation.
	FieldManager = "k8sconnect-restart"
	// Annotation is the one that kubectl rollout restart sets.
	Annotation = "kubectl.kubernetes.io/restartedAt"
)

// Kinds are the kinds of apps/v1 whose controllers replace pods when their template changes.
var Kinds = []string{"Deployment", "StatefulSet", "DaemonSet"}

// Why says why a workload is not restarted.
type Why string

// The reasons.
const (
	// Paused: the rollouts of the Deployment are paused.
	Paused Why = "Paused"
	// OnDelete: the controller of the workload replaces a pod only after somebody has deleted it.
	OnDelete Why = "OnDelete"
	// Partition: the partition of the StatefulSet spares all pods.
	Partition Why = "Partition"
	// Declared: another manager applies the annotation.
	Declared Why = "Declared"
)

// RefusedError says that a workload is not restarted. Nothing was changed.
type RefusedError struct {
	Object manifest.Identity
	Why    Why
	// By is the manager that applies the annotation.
	By string
}

func (e *RefusedError) Error() string {
	return e.Object.String() + " is not restarted: " + string(e.Why)
}

// Restart restarts the pods of a workload and returns it as the server answered: one GET and one PATCH. An error may be a *RefusedError.
func Restart(ctx context.Context, api cluster.Interface, id manifest.Identity, now time.Time) (*unstructured.Unstructured, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := refused(id, live); err != nil {
		return live, err
	}
	applied, err := api.Apply(ctx, id, annotated(live, moment(live, now)), cluster.ApplyOptions{FieldManager: FieldManager, Force: true})
	if err != nil {
		return live, err
	}
	return applied.Object, nil
}

func refused(id manifest.Identity, live *unstructured.Unstructured) error {
	paused, _, _ := unstructured.NestedBool(live.Object, "spec", "paused")
	partition, _, _ := unstructured.NestedInt64(live.Object, "spec", "updateStrategy", "rollingUpdate", "partition")
	replicas, _, _ := unstructured.NestedInt64(live.Object, "spec", "replicas")
	strategy, _, _ := unstructured.NestedString(live.Object, "spec", "updateStrategy", "type")
	switch {
	case id.Kind == "Deployment" && paused:
		return &RefusedError{Object: id, Why: Paused}
	case strategy == "OnDelete":
		return &RefusedError{Object: id, Why: OnDelete}
	case id.Kind == "StatefulSet" && partition > 0 && partition >= replicas:
		return &RefusedError{Object: id, Why: Partition}
	}
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return err
	}
	for _, holder := range claims.Holders(annotationPath) {
		if holder.Operation == metav1.ManagedFieldsOperationApply && holder.Name != FieldManager {
			return &RefusedError{Object: id, Why: Declared, By: holder.Name}
		}
	}
	return nil
}

var (
	annotationFields = []string{"spec", "template", "metadata", "annotations", Annotation}
	annotationPath   = func() paths.Path {
		var path paths.Path
		for _, name := range annotationFields {
			path = append(path, paths.Field(name))
		}
		return path
	}()
)

// moment returns now as kubectl writes it, or a second later if the annotation has that value already: an equal value restarts
// nothing.
func moment(live *unstructured.Unstructured, now time.Time) string {
	before, _, _ := unstructured.NestedString(live.Object, annotationFields...)
	text := now.UTC().Format(time.RFC3339)
	if text == before {
		text = now.UTC().Add(time.Second).Format(time.RFC3339)
	}
	return text
}

func annotated(live *unstructured.Unstructured, at string) map[string]any {
	return map[string]any{
		"apiVersion": live.GetAPIVersion(), "kind": live.GetKind(),
		"metadata": map[string]any{"name": live.GetName(), "namespace": live.GetNamespace(), "uid": string(live.GetUID())},
		"spec":     map[string]any{"template": map[string]any{"metadata": map[string]any{"annotations": map[string]any{Annotation: at}}}},
	}
}
