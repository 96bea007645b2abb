package examples_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
)

// manager is somebody else who writes to the cluster, by the name of the field manager.
type manager string

// lastApplied is where kubectl apply notes what it applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// create is kubectl create of a file with one or more objects.
func (m manager) create(t *testing.T, text string) {
	t.Helper()
	for _, object := range parse(t, text) {
		_, err := resourceOf(t, object).Create(t.Context(), object, metav1.CreateOptions{FieldManager: string(m)})
		must(t, err)
	}
}

// createUntilTheEnd is create for objects that the test deletes when it ends.
func (m manager) createUntilTheEnd(t *testing.T, text string) {
	t.Helper()
	m.create(t, text)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		for _, object := range parse(t, text) {
			must(t, resourceOf(t, object).Delete(ctx, object.GetName(), metav1.DeleteOptions{}))
		}
	})
}

// applyFirst is the first kubectl apply of a file, which creates the objects.
func (m manager) applyFirst(t *testing.T, text string) {
	t.Helper()
	for _, object := range parse(t, text) {
		applied, err := object.MarshalJSON()
		must(t, err)
		object.SetAnnotations(map[string]string{lastApplied: string(applied)})
		_, err = resourceOf(t, object).Create(t.Context(), object, metav1.CreateOptions{FieldManager: string(m)})
		must(t, err)
	}
}

// applyOnServer is kubectl apply --server-side --force-conflicts, and what Flux does.
func (m manager) applyOnServer(t *testing.T, text string) {
	t.Helper()
	for _, object := range parse(t, text) {
		_, err := resourceOf(t, object).Apply(t.Context(), object.GetName(), object,
			metav1.ApplyOptions{FieldManager: string(m), Force: true})
		must(t, err)
	}
}

// patch is a strategic merge patch, as kubectl edit sends it.
func (m manager) patch(t *testing.T, target target, patch string) {
	t.Helper()
	_, err := target.client(t).Patch(t.Context(), target.name, types.StrategicMergePatchType, []byte(patch),
		metav1.PatchOptions{FieldManager: string(m)})
	must(t, err)
}

// scale is kubectl scale, and what an autoscaler does.
func (m manager) scale(t *testing.T, target target, replicas int) {
	t.Helper()
	_, err := target.client(t).Patch(t.Context(), target.name, types.MergePatchType, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas),
		metav1.PatchOptions{FieldManager: string(m)}, "scale")
	must(t, err)
}

// target is an object that is there: "deployments.v1.apps" and its name, in the namespace default.
type target struct{ resource, namespace, name string }

func deployment(name string) target { return target{"deployments.v1.apps", "default", name} }

func (o target) client(t *testing.T) dynamic.ResourceInterface {
	t.Helper()
	resource, _ := schema.ParseResourceArg(o.resource)
	client, err := dynamic.NewForConfig(controlPlane.RESTConfig())
	must(t, err)
	return client.Resource(*resource).Namespace(o.namespace)
}

// live returns the object as the server holds it.
func (o target) live(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	object, err := o.client(t).Get(t.Context(), o.name, metav1.GetOptions{})
	must(t, err)
	return object
}

// parse reads the objects of a file.
func parse(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	documents := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 1<<10)
	for {
		object := &unstructured.Unstructured{}
		err := documents.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		must(t, err)
		objects = append(objects, object)
	}
}

// resourceOf returns the client for an object's kind and namespace.
func resourceOf(t *testing.T, object *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	config := controlPlane.RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	must(t, err)
	untyped, err := dynamic.NewForConfig(config)
	must(t, err)
	kind := object.GroupVersionKind()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(typed.Discovery()))
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	must(t, err)
	return untyped.Resource(mapping.Resource).Namespace(object.GetNamespace())
}
