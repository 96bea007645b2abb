package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
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
		switch {
		case edit.Remove:
			op = "remove"
		case edit.Add:
			op = "add"
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

// encodeBody returns body as the JSON of an apply patch.
//
// The server reads an apply patch as YAML. YAML refuses some characters that JSON allows bare (DEL, most of C1) and
// folds others into spaces (NEL). So every character that does not print is escaped.
func encodeBody(body map[string]any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var escaped bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		// YAML takes every character above U+FFFF as it is, and \u has only four digits.
		if r >= 0x7f && r <= 0xffff && !unicode.IsPrint(r) {
			fmt.Fprintf(&escaped, `\u%04x`, r)
		} else {
			escaped.Write(text[:size])
		}
		text = text[size:]
	}
	return escaped.Bytes(), nil
}

// checkSecret refuses a Secret with a value that is not a string, without sending it: the server would
// refuse it too, and its message would quote the value.
func checkSecret(id manifest.Identity, body map[string]any) *cluster.Error {
	if !id.IsSecret() {
		return nil
	}
	var causes []metav1.StatusCause
	mistyped := func(field, want string) {
		causes = append(causes,
			metav1.StatusCause{Type: metav1.CauseTypeTypeInvalid, Field: field, Message: "must be " + want})
	}
	for _, field := range manifest.SecretFields() {
		values, isMap := body[field].(map[string]any)
		if !isMap && body[field] != nil {
			mistyped(field, "a map of strings")
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if _, isString := values[key].(string); !isString && values[key] != nil {
				mistyped(field+"["+key+"]", "a string; write numbers and booleans in quotes")
			}
		}
	}
	if causes == nil {
		return nil
	}
	message := causes[0].Field + ": " + causes[0].Message
	return &cluster.Error{
		Reason: cluster.ReasonInvalid, Object: id, Message: message, Details: &cluster.InvalidError{Causes: causes},
	}
}

// noVersion is a resourceVersion that no object ever has.
const noVersion = "9223372036854775807"

// asNew returns body for an apply that creates an object. If the object exists, the server compares resourceVersions
// and answers with a conflict. If it does not exist, the server ignores the one in the body. body is not mutated.
func asNew(body map[string]any) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["resourceVersion"] = noVersion
	body = maps.Clone(body)
	body["metadata"] = metadata
	return body
}

// Delete implements cluster.Interface.
func (c *Client) Delete(
	ctx context.Context, id manifest.Identity, removal cluster.Removal,
) (*unstructured.Unstructured, error) {
	served, path, err := c.resolve(ctx, id)
	if err != nil {
		return nil, c.confirmUnserved(ctx, id, err)
	}
	policy := metav1.DeletionPropagation(removal.Propagation)
	options := metav1.DeleteOptions{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"}, PropagationPolicy: &policy,
	}
	if removal.UID != "" {
		precondition := types.UID(removal.UID)
		options.Preconditions = &metav1.Preconditions{UID: &precondition}
	}
	text, err := json.Marshal(options)
	if err != nil {
		return nil, unencodable(id, err)
	}
	request := c.rest.Delete().AbsPath(path...).SetHeader("Content-Type", "application/json").Body(text)
	want := c.expect(http.MethodDelete, served, id).withUID(removal.UID)
	got, err := c.send(ctx, idempotent, request, want)
	if err != nil {
		return nil, c.confirmUnserved(ctx, id, err)
	}
	if _, isStatus := got.decoded.(*metav1.Status); !isStatus {
		if problem := want.problem(got.decoded); problem != "" {
			return nil, want.wrongAnswer(request.URL(), problem)
		}
	}
	see(ctx, id, got.object, got.object != nil)
	if isGone(got.object) {
		return nil, nil
	}
	return got.object, nil
}

// isGone reports whether a DELETE that was answered with object (nil for a plain success) has removed the object. For
// some kinds (Service, ServiceAccount, Pod) the server answers with the removed object: without a deletionTimestamp,
// or, where a deletion can be graceful, with one and a grace period of zero. Only a finalizer, a grace period, or a
// namespace's spec.finalizers can block the deletion.
func isGone(object *unstructured.Unstructured) bool {
	if object == nil || object.GetDeletionTimestamp() == nil {
		return true
	}
	grace := object.GetDeletionGracePeriodSeconds()
	return grace != nil && *grace == 0 && len(terminating.Finalizers(object)) == 0
}

// AwaitDeletion implements cluster.Interface. It follows the terminating object. The error is a *cluster.Error with
// ReasonDeletionBlocked, which names what blocks the deletion, or the error that ended the watches and the GETs.
func (c *Client) AwaitDeletion(ctx context.Context, deleted *unstructured.Unstructured) error {
	id, last := manifest.IdentityOf(deleted), deleted
	see(ctx, id, last, true)
	_, err := c.FollowName(ctx, id, last, func(now *unstructured.Unstructured) bool {
		// The server gives the name to another object only after it has removed the first one.
		if now == nil || now.GetUID() != deleted.GetUID() {
			return true
		}
		last = now
		return false
	})
	switch {
	case err == nil, cluster.IsGone(err):
		if id.IsDefinition() {
			c.discovery.forget(id)
		}
		return nil
	case ctx.Err() != nil:
		return c.deletionBlocked(ctx, id, last)
	default:
		return err
	}
}

// deletionBlocked returns the error of a deletion that took too long, with the causes that its finalizers, conditions
// and pods show.
func (c *Client) deletionBlocked(ctx context.Context, id manifest.Identity, last *unstructured.Unstructured) error {
	ending := terminating.Of(ctx, c, last)
	message := "the server accepted the deletion but has not removed the object in time"
	if held := ending.String(); held != "" {
		message += ": " + held
	}
	return &cluster.Error{
		Reason: cluster.ReasonDeletionBlocked, Object: id, Message: message, Cause: ctx.Err(),
		Details: &cluster.DeletionBlockedError{Ending: ending},
	}
}
