package worlds_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// write sends the request of a writer. A refusal by the server is no error; any other failure is.
func (w *world) write(ctx context.Context, request write) error {
	err := w.sendWatched(ctx, request)
	if apierrors.IsConflict(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsNotFound(err) || apierrors.IsInternalError(err) ||
		apierrors.IsForbidden(err) {
		return nil
	}
	return err
}

// send returns the object after a request; nil for a request that answers with another one.
func (w *world) send(ctx context.Context, request write) (*unstructured.Unstructured, error) {
	switch request.how {
	case apply, forced:
		body := object(request.version, w.namespace, request.fields)
		return w.clientOf(body.GetAPIVersion()).Apply(ctx, w.name(), body, metav1.ApplyOptions{FieldManager: request.manager, Force: request.how == forced})
	case update, rekey:
		return w.update(ctx, request)
	case create:
		return w.client.Create(ctx, object(request.version, w.namespace, request.fields), metav1.CreateOptions{FieldManager: request.manager})
	case merge:
		return w.client.Patch(ctx, w.name(), types.MergePatchType, mergePatch(request.fields), metav1.PatchOptions{FieldManager: request.manager})
	case scale:
		patch := fmt.Sprintf(`{"spec":{"replicas":%d}}`, request.scale)
		_, err := w.client.Patch(ctx, w.name(), types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: request.manager}, "scale")
		return nil, err
	case remove:
		return nil, w.client.Delete(ctx, w.name(), metav1.DeleteOptions{})
	case forget:
		return w.forget(ctx, request.manager)
	case deadVersion, deadField:
		return w.spoil(ctx, request)
	default:
		return nil, fmt.Errorf("nobody can %s", request.how)
	}
}

func (w *world) name() string { return object(w.kind.base, w.namespace, nil).GetName() }

func (w *world) clientOf(apiVersion string) dynamic.ResourceInterface {
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		panic(err)
	}
	resource := w.kind.resource[strings.LastIndex(w.kind.resource, "/")+1:]
	return w.dynamic.Resource(version.WithResource(resource)).Namespace(w.namespace)
}

func (w *world) update(ctx context.Context, request write) (*unstructured.Unstructured, error) {
	live, err := w.client.Get(ctx, w.name(), metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	for _, path := range request.cut {
		cut(live.Object, strings.Split(path, "|"))
	}
	for _, c := range request.fields {
		if request.how == rekey && !has(live.Object, c.path[:strings.LastIndex(c.path, "|")]) {
			continue
		}
		c.put(live.Object)
	}
	return w.client.Update(ctx, live, metav1.UpdateOptions{FieldManager: request.manager})
}

func mergePatch(fields []choice) []byte {
	patch := map[string]any{}
	for _, c := range fields {
		c.put(patch)
	}
	text, err := json.Marshal(patch)
	if err != nil {
		panic(err)
	}
	return text
}

// forget removes the entries of a manager, all of them for "".
func (w *world) forget(ctx context.Context, manager string) (*unstructured.Unstructured, error) {
	live, err := w.client.Get(ctx, w.name(), metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	var entries []any
	for _, entry := range live.GetManagedFields() {
		if manager != "" && entry.Manager != manager {
			fields, err := runtimeMap(entry)
			if err != nil {
				return nil, err
			}
			entries = append(entries, fields)
		}
	}
	return w.setRecords(ctx, entries)
}

// setRecords replaces managedFields.
func (w *world) setRecords(ctx context.Context, entries []any) (*unstructured.Unstructured, error) {
	if len(entries) == 0 {
		entries = []any{map[string]any{}}
	}
	patch, err := json.Marshal([]any{map[string]any{"op": "replace", "path": "/metadata/managedFields", "value": entries}})
	if err != nil {
		return nil, err
	}
	return w.client.Patch(ctx, w.name(), types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: "operator"})
}

// spoil has the entries of a manager, all of them for "", name a version or a field that the server does not know.
func (w *world) spoil(ctx context.Context, request write) (*unstructured.Unstructured, error) {
	live, err := w.client.Get(ctx, w.name(), metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	var entries []any
	for _, entry := range live.GetManagedFields() {
		fields, err := runtimeMap(entry)
		if err != nil {
			return nil, err
		}
		switch is := request.manager == "" || entry.Manager == request.manager; {
		case is && request.how == deadVersion:
			group, _, _ := strings.Cut(entry.APIVersion, "/")
			fields["apiVersion"] = strings.TrimPrefix(group+"/v0gone", "v1/")
		case is && request.how == deadField:
			owned, _ := fields["fieldsV1"].(map[string]any)
			put(owned, []string{"f:spec", "f:gone"}, map[string]any{"f:away": map[string]any{}})
		}
		entries = append(entries, fields)
	}
	return w.setRecords(ctx, entries)
}

func runtimeMap(value any) (map[string]any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	return fields, json.Unmarshal(text, &fields)
}

// live returns the object, nil without one.
func (w *world) live(ctx context.Context) (*unstructured.Unstructured, error) {
	live, err := w.client.Get(ctx, w.name(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return live, err
}
