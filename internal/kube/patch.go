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

// ReplaceManagedFields implements ssa.Cluster. A server drops entries that hold no field, and once an
// object has no entry left it takes none back by this way.
func (c *Client) ReplaceManagedFields(ctx context.Context, id manifest.Identity, fieldManager, resourceVersion string,
	entries []metav1.ManagedFieldsEntry, edits ...cluster.Edit,
) (*unstructured.Unstructured, error) {
	if len(entries) == 0 {
		// The documented way to say that no entry is left.
		entries = []metav1.ManagedFieldsEntry{{}}
	}
	operations := append([]operation{{"replace", "/metadata/managedFields", entries}}, operationsOf(edits)...)
	return c.patch(ctx, id, fieldManager, resourceVersion, operations...)
}

// Edit implements ssa.Cluster.
func (c *Client) Edit(ctx context.Context, id manifest.Identity, fieldManager, resourceVersion string, edits []cluster.Edit) error {
	_, err := c.patch(ctx, id, fieldManager, resourceVersion, operationsOf(edits)...)
	return err
}

func operationsOf(edits []cluster.Edit) []operation {
	operations := make([]operation, 0, len(edits))
	for _, edit := range edits {
		steps := make([]string, len(edit.Pointer))
		for i, step := range edit.Pointer {
			steps[i] = pointer.Replace(step)
		}
		operations = append(operations, operation{"replace", "/" + strings.Join(steps, "/"), edit.Value})
	}
	return operations
}

// SetFinalizers implements ssa.Cluster.
func (c *Client) SetFinalizers(ctx context.Context, id manifest.Identity, fieldManager, resourceVersion string, finalizers []string) error {
	_, err := c.patch(ctx, id, fieldManager, resourceVersion, operation{"replace", "/metadata/finalizers", finalizers})
	return err
}

// TryMerge implements ssa.Cluster.
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

// patch sends one JSON PATCH. Writing the resourceVersion that was read makes the server answer a conflict
// where a "test" would be answered like any other invalid patch.
func (c *Client) patch(ctx context.Context, id manifest.Identity, fieldManager, resourceVersion string, operations ...operation) (*unstructured.Unstructured, error) {
	path, err := c.path(ctx, id)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(append([]operation{{"replace", "/metadata/resourceVersion", resourceVersion}}, operations...))
	if err != nil {
		return nil, unencodable(id, err)
	}
	got, err := c.sendForObject(ctx, idempotent, c.rest.Patch(types.JSONPatchType).AbsPath(path...).
		Param("fieldManager", fieldManager).Body(text), id)
	return got.object, err
}
