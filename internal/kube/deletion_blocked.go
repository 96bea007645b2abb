package kube

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// deletionBlocked returns the error of a deletion that took too long, with what the object itself says about it.
func deletionBlocked(ctx context.Context, id manifest.Identity, last *unstructured.Unstructured) *cluster.Error {
	var held []string
	if finalizers := finalizersOf(last); len(finalizers) > 0 {
		held = append(held, "it still has the finalizers "+strings.Join(finalizers, ", "))
	}
	if grace := last.GetDeletionGracePeriodSeconds(); grace != nil && *grace > 0 {
		held = append(held, fmt.Sprintf("it has a grace period of %d s", *grace))
	}
	for _, condition := range conditionsOf(last) {
		head, said, found := strings.Cut(condition, ": ")
		if found {
			head += ": " + cluster.Show(ctx, id, cluster.RemarkOn(id, said))
		}
		held = append(held, head)
	}
	message := "the server accepted the deletion but has not removed the object in time"
	if len(held) > 0 {
		message += ": " + strings.Join(held, "; ")
	}
	return &cluster.Error{Reason: cluster.ReasonDeletionBlocked, Object: id, Message: message, Cause: ctx.Err()}
}

// shownConditions is how many conditions of an object an error shows.
const shownConditions = 5

// conditionsOf returns the first conditions of an object, "Ready=False (Stuck): the message". The conditions of a
// namespace say what could not be deleted, and nothing if they are false.
func conditionsOf(object *unstructured.Unstructured) []string {
	var texts []string
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, entry := range conditions {
		condition, _ := entry.(map[string]any)
		name, _ := condition["type"].(string)
		status, _ := condition["status"].(string)
		if name == "" || isNamespace(identityOf(object)) && status != "True" {
			continue
		}
		texts = append(texts, conditionText(name, status, condition))
	}
	if more := len(texts) - shownConditions; more > 0 {
		texts = append(texts[:shownConditions], fmt.Sprintf("and %d more", more))
	}
	return texts
}

func conditionText(name, status string, condition map[string]any) string {
	text := name + "=" + status
	if reason, _ := condition["reason"].(string); reason != "" {
		text += " (" + reason + ")"
	}
	if message, _ := condition["message"].(string); message != "" {
		text += ": " + strings.TrimRight(strings.TrimSpace(message), ".")
	}
	return text
}
