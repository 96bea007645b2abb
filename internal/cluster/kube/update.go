package kube

import (
	"context"
	"errors"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Update implements cluster.Interface.
func (c *Client) Update(ctx context.Context, id manifest.Identity, update cluster.Update) (cluster.Applied, error) {
	served, path, err := c.resolveWrite(ctx, id)
	if err != nil {
		return cluster.Applied{}, err
	}
	text, err := guarded(update)
	if err != nil {
		return cluster.Applied{}, unencodable(id, err)
	}
	request := c.rest.Patch(update.Type).AbsPath(path...).
		Param("fieldManager", update.FieldManager).
		Param("fieldValidation", metav1.FieldValidationStrict).
		Body(text)
	if update.DryRun {
		request.Param("dryRun", metav1.DryRunAll)
	}
	got, err := c.sendForObject(ctx, idempotent, request, c.expect(http.MethodPatch, served, id).withUID(update.UID))
	if failed, is := errors.AsType[*cluster.Error](err); is {
		// A patch need not have the form of the object, so the schema finds no undeclared fields in it.
		c.complete(ctx, failed, map[string]any{}, len(text))
	}
	if err != nil {
		return cluster.Applied{}, err
	}
	see(ctx, id, got.object, false)
	return cluster.Applied{
		Object: got.object, Outcome: cluster.Updated,
		Remarks: cluster.Remarks{Warnings: shownWarnings(ctx, id, got.warnings), Bytes: len(text)},
	}, nil
}

// guarded returns the body of an update with the uid and the resourceVersion that the object has to have. The server
// answers a written resourceVersion that is not the object's with a conflict.
func guarded(update cluster.Update) ([]byte, error) {
	if update.Type == types.JSONPatchType {
		var operations []any
		if err := json.Unmarshal(update.Body, &operations); err != nil {
			return nil, err
		}
		guards := []any{
			operation{"replace", "/metadata/resourceVersion", update.ResourceVersion},
			operation{"replace", "/metadata/uid", update.UID},
		}
		return json.Marshal(append(guards, operations...))
	}
	var fields map[string]any
	if err := json.Unmarshal(update.Body, &fields); err != nil {
		return nil, err
	}
	metadata, _ := fields["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["uid"], metadata["resourceVersion"] = update.UID, update.ResourceVersion
	fields["metadata"] = metadata
	return json.Marshal(fields)
}
