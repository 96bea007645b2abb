package kube

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Patch implements cluster.Interface. Writing the resourceVersion that was read makes the server answer a conflict
// where a "test" would be answered like any other invalid patch.
func (c *Client) Patch(ctx context.Context, id manifest.Identity, patch cluster.Patch) (*unstructured.Unstructured, error) {
	path, err := c.path(ctx, id)
	if err != nil {
		return nil, err
	}
	operations := []operation{{"replace", "/metadata/resourceVersion", patch.ResourceVersion}}
	for _, edit := range patch.Edits {
		steps := make([]string, len(edit.Pointer))
		for i, step := range edit.Pointer {
			steps[i] = pointer.Replace(step)
		}
		op := "replace"
		if edit.Remove {
			op = "remove"
		}
		operations = append(operations, operation{op, "/" + strings.Join(steps, "/"), edit.Value})
	}
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, unencodable(id, err)
	}
	got, err := c.sendForObject(ctx, idempotent, c.rest.Patch(types.JSONPatchType).AbsPath(path...).
		Param("fieldManager", patch.FieldManager).Body(text), id)
	return got.object, err
}

// TryMerge implements cluster.Interface.
func (c *Client) TryMerge(ctx context.Context, id manifest.Identity, fieldManager string, merge map[string]any) error {
	path, err := c.path(ctx, id)
	if err != nil {
		return err
	}
	text, err := json.Marshal(merge)
	if err != nil {
		return unencodable(id, err)
	}
	_, err = c.sendForObject(ctx, idempotent, c.rest.Patch(types.MergePatchType).AbsPath(path...).
		Param("fieldManager", fieldManager).Param("dryRun", metav1.DryRunAll).Body(text), id)
	return err
}

// operation is one of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")
