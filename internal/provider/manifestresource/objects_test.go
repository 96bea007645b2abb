package manifestresource_test

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"
)

// parse reads a manifest in which NS stands for the story's namespace.
func (s *story) parse(body string) *unstructured.Unstructured {
	s.t.Helper()
	text, err := yaml.YAMLToJSON([]byte(s.expand(body)))
	must(s.t, err)
	object := &unstructured.Unstructured{}
	must(s.t, object.UnmarshalJSON(text)) // Unlike yaml.Unmarshal it keeps integers exact.
	return object
}

// resource returns the client for an object's kind and namespace.
func (s *story) resource(apiVersion, kind, namespace string) dynamic.ResourceInterface {
	s.t.Helper()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.typed.Discovery()))
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	must(s.t, err)
	if mapping.Scope.Name() == "root" {
		return s.dynamic.Resource(mapping.Resource)
	}
	return s.dynamic.Resource(mapping.Resource).Namespace(namespace)
}

func (s *story) resourceOf(object *unstructured.Unstructured) dynamic.ResourceInterface {
	return s.resource(object.GetAPIVersion(), object.GetKind(), object.GetNamespace())
}

// live returns the object as the server holds it.
func (s *story) live(target string) *unstructured.Unstructured {
	s.t.Helper()
	client, name := s.find(target)
	object, err := client.Get(s.t.Context(), name, metav1.GetOptions{})
	must(s.t, err)
	return object
}

// gone reports whether an object, or its kind, is not on the server.
func (s *story) gone(target string) bool {
	s.t.Helper()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.typed.Discovery()))
	apiVersion, kind, _ := s.split(target)
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	if _, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version); meta.IsNoMatchError(err) {
		return true
	}
	client, name := s.find(target)
	_, err := client.Get(s.t.Context(), name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		must(s.t, err)
	}
	return err != nil
}

// find returns the client for a target's kind and namespace, and its name.
func (s *story) find(target string) (dynamic.ResourceInterface, string) {
	s.t.Helper()
	apiVersion, kind, name := s.split(target)
	if namespace, other, ok := strings.Cut(name, "/"); ok {
		return s.resource(apiVersion, kind, namespace), other
	}
	return s.resource(apiVersion, kind, s.namespace), name
}

func (s *story) split(target string) (apiVersion, kind, name string) {
	s.t.Helper()
	if _, err := fmt.Sscan(s.expand(target), &apiVersion, &kind, &name); err != nil {
		s.t.Fatalf("%q is not of the form \"apps/v1 Deployment web\": %v", target, err)
	}
	return apiVersion, kind, name
}
