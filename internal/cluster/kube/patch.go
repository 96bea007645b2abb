package kube

import (
	"context"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Patch implements cluster.Interface. It writes the resourceVersion that was read, because the server answers that with
// a conflict if the object has changed. It answers a failed "test" like any other invalid patch.
func (c *Client) Patch(
	ctx context.Context, id manifest.Identity, patch cluster.Patch,
) (*unstructured.Unstructured, error) {
	if id.Subresource == "" {
		return c.edit(ctx, id, patch)
	}
	// The server ignores managedFields in requests to a subresource.
	object := id
	object.Subresource = ""
	isMetadata := func(edit cluster.Edit) bool { return edit.Pointer[0] == "metadata" }
	whole, part := patch, patch
	whole.Edits = slices.DeleteFunc(slices.Clone(patch.Edits), func(edit cluster.Edit) bool {
		return !isMetadata(edit)
	})
	part.Edits = slices.DeleteFunc(slices.Clone(patch.Edits), isMetadata)
	if len(part.Edits) == 0 {
		return c.edit(ctx, object, whole)
	}
	if len(whole.Edits) > 0 {
		edited, err := c.edit(ctx, object, whole)
		if err != nil {
			return nil, err
		}
		part.ResourceVersion = edited.GetResourceVersion()
	}
	return c.edit(ctx, id, part)
}

func (c *Client) edit(
	ctx context.Context, id manifest.Identity, patch cluster.Patch,
) (*unstructured.Unstructured, error) {
	served, path, err := c.resolveWrite(ctx, id)
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
	request := c.rest.Patch(types.JSONPatchType).AbsPath(path...).Param("fieldManager", patch.FieldManager).Body(text)
	if patch.DryRun {
		request.Param("dryRun", metav1.DryRunAll)
	}
	got, err := c.sendForObject(ctx, idempotent, request, c.expect(http.MethodPatch, served, id))
	if err == nil {
		see(ctx, id, got.object, false)
	}
	if err != nil && slices.ContainsFunc(patch.Edits, func(edit cluster.Edit) bool { return edit.Remove }) {
		err = c.movedOn(ctx, id, patch.ResourceVersion, err)
	}
	return got.object, c.confirmUnserved(ctx, id, err)
}

// movedOn returns a conflict instead of a refused removal if the resourceVersion of the object is another one. The
// server refuses to remove a missing field before it compares versions, and an earlier request of the client, whose
// answer was lost, may have removed it.
func (c *Client) movedOn(ctx context.Context, id manifest.Identity, resourceVersion string, refusal error) error {
	if cluster.ReasonOf(refusal) != cluster.ReasonInvalid {
		return refusal
	}
	now, err := c.Get(ctx, id)
	if err != nil || now.GetResourceVersion() == resourceVersion {
		return refusal
	}
	return &cluster.Error{
		Reason: cluster.ReasonConflict, Object: id, Message: "the object has changed since it was read", Cause: refusal,
	}
}

// TryMerge implements cluster.Interface.
func (c *Client) TryMerge(
	ctx context.Context, id manifest.Identity, fieldManager string, merge map[string]any,
) (map[string]any, error) {
	served, path, err := c.resolveWrite(ctx, id)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(merge)
	if err != nil {
		return nil, unencodable(id, err)
	}
	got, err := c.sendForObject(ctx, idempotent, c.rest.Patch(types.MergePatchType).AbsPath(path...).
		Param("fieldManager", fieldManager).
		Param("dryRun", metav1.DryRunAll).Body(text), c.expect(http.MethodPatch, served, id))
	if err != nil {
		return nil, err
	}
	return got.object.Object, nil
}

// operation is one operation of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")
