package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// allow lets the users of the states do everything.
func (e *estate) allow(ctx context.Context) error {
	client, err := dynamic.NewForConfig(e.plane.RESTConfig())
	if err != nil {
		return err
	}
	const rbac = "rbac.authorization.k8s.io"
	binding := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": rbac + "/v1", "kind": "ClusterRoleBinding", "metadata": map[string]any{"name": group},
		"roleRef":  map[string]any{"apiGroup": rbac, "kind": "ClusterRole", "name": "cluster-admin"},
		"subjects": []any{map[string]any{"apiGroup": rbac, "kind": "Group", "name": group}},
	}}
	_, err = client.Resource(schema.GroupVersionResource{Group: rbac, Version: "v1", Resource: "clusterrolebindings"}).
		Apply(ctx, group, binding, metav1.ApplyOptions{FieldManager: group, Force: true})
	return err
}
