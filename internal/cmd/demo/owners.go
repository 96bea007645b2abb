package main

import (
	"encoding/json"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ownersOfReplicas returns the managers of a Deployment's spec.replicas from its managedFields. It does not use
// the provider's own code, because the demo checks that code.
func ownersOfReplicas(deployment *appsv1.Deployment) ([]metav1.ManagedFieldsEntry, error) {
	var owners []metav1.ManagedFieldsEntry
	for _, entry := range deployment.ManagedFields {
		if entry.FieldsV1 == nil {
			continue
		}
		text, err := json.Marshal(entry.FieldsV1)
		if err != nil {
			return nil, err
		}
		var fields struct {
			Spec map[string]json.RawMessage `json:"f:spec"`
		}
		if err := json.Unmarshal(text, &fields); err != nil {
			return nil, err
		}
		if _, ok := fields.Spec["f:replicas"]; ok {
			owners = append(owners, entry)
		}
	}
	return owners, nil
}

// describe returns the owners on one line: "kube-controller-manager (Update, subresource scale)".
func describe(owners []metav1.ManagedFieldsEntry) string {
	if len(owners) == 0 {
		return "nobody"
	}
	texts := make([]string, len(owners))
	for i, owner := range owners {
		how := string(owner.Operation)
		if owner.Subresource != "" {
			how += ", subresource " + owner.Subresource
		}
		texts[i] = owner.Manager + " (" + how + ")"
	}
	return strings.Join(texts, " and ")
}
