package story

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// Parse reads a manifest in which NS is the story's namespace.
func (s *Story) Parse(body string) *unstructured.Unstructured {
	s.T.Helper()
	text, err := yaml.YAMLToJSON([]byte(s.Expand(body)))
	Must(s.T, err)
	object := &unstructured.Unstructured{}
	Must(s.T, object.UnmarshalJSON(text)) // Unlike yaml.Unmarshal it keeps integers exact.
	return object
}

// With returns a story of the same objects with another client, whose provider has said nothing.
func (s *Story) With(client dynamic.Interface) *Story {
	return &Story{
		T: s.T, Namespace: s.Namespace, Typed: s.Typed, Dynamic: client, UserAgent: s.UserAgent, mapper: s.mapper,
	}
}

// Resource returns the client for an object's kind and namespace. It waits until the server serves the kind, which the
// definition may report a moment earlier.
func (s *Story) Resource(apiVersion, kind, namespace string) (client dynamic.ResourceInterface) {
	s.T.Helper()
	var err error
	s.Await(kind+" is served", func() bool {
		client, err = s.resource(apiVersion, kind, namespace)
		return !meta.IsNoMatchError(err)
	})
	Must(s.T, err)
	return client
}

// resource does what [Story.Resource] does, and returns an error if the server does not serve the kind.
func (s *Story) resource(apiVersion, kind, namespace string) (dynamic.ResourceInterface, error) {
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	mapping, err := s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		s.mapper.Reset() // The kind may have been defined since the last discovery.
		mapping, err = s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	}
	switch {
	case err != nil:
		return nil, err
	case mapping.Scope.Name() == meta.RESTScopeNameRoot:
		return s.Dynamic.Resource(mapping.Resource), nil
	default:
		return s.Dynamic.Resource(mapping.Resource).Namespace(namespace), nil
	}
}

// ResourceOf returns the client for an object.
func (s *Story) ResourceOf(object *unstructured.Unstructured) dynamic.ResourceInterface {
	return s.Resource(object.GetAPIVersion(), object.GetKind(), object.GetNamespace())
}

// Live returns the object as the server holds it.
func (s *Story) Live(target string) *unstructured.Unstructured {
	s.T.Helper()
	client, name := s.find(target)
	object, err := client.Get(s.T.Context(), name, metav1.GetOptions{})
	Must(s.T, err)
	return object
}

// Gone reports whether an object, or its kind, is not on the server.
func (s *Story) Gone(target string) bool {
	s.T.Helper()
	apiVersion, kind, namespace, name := s.place(target)
	client, err := s.resource(apiVersion, kind, namespace)
	if meta.IsNoMatchError(err) {
		return true
	}
	Must(s.T, err)
	_, err = client.Get(s.T.Context(), name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		Must(s.T, err)
	}
	return err != nil
}

// find returns the client for a target's kind and namespace, and its name.
func (s *Story) find(target string) (dynamic.ResourceInterface, string) {
	s.T.Helper()
	apiVersion, kind, namespace, name := s.place(target)
	return s.Resource(apiVersion, kind, namespace), name
}

// place splits a target. Its name may begin with a namespace other than the story's.
func (s *Story) place(target string) (apiVersion, kind, namespace, name string) {
	s.T.Helper()
	apiVersion, kind, name = s.Split(target)
	if namespace, other, ok := strings.Cut(name, "/"); ok {
		return apiVersion, kind, namespace, other
	}
	return apiVersion, kind, s.Namespace, name
}

// Split splits a target, "apps/v1 Deployment web" for instance.
func (s *Story) Split(target string) (apiVersion, kind, name string) {
	s.T.Helper()
	if _, err := fmt.Sscan(s.Expand(target), &apiVersion, &kind, &name); err != nil {
		s.T.Fatalf("%q is not of the form \"apps/v1 Deployment web\": %v", target, err)
	}
	return apiVersion, kind, name
}

// AwaitRollouts waits until the deployment controller has nothing left to write to the Deployments of the namespace
// that are there. Until then, a plan that previews may have to read an object twice.
func (s *Story) AwaitRollouts() {
	s.T.Helper()
	s.Await("the rollouts have ended", func() bool {
		found, err := s.Typed.AppsV1().Deployments(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
		Must(s.T, err)
		for i := range found.Items {
			if !isRolledOut(&found.Items[i]) {
				return false
			}
		}
		return true
	})
}

// isRolledOut reports whether the controller has seen the last change, and all pods are new ones. They need not be
// ready.
func isRolledOut(d *appsv1.Deployment) bool {
	seen := d.Status.ObservedGeneration == d.Generation
	if d.DeletionTimestamp != nil || seen && d.Spec.Paused {
		return true
	}
	if !seen || d.Annotations["deployment.kubernetes.io/revision"] == "" {
		return false
	}
	for _, condition := range d.Status.Conditions {
		if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	want := *d.Spec.Replicas
	return d.Status.Replicas == want && d.Status.UpdatedReplicas == want
}

// AwaitReplicas waits until a Deployment asks for want replicas.
func (s *Story) AwaitReplicas(target string, want int64) {
	s.T.Helper()
	s.Await(fmt.Sprintf("%s asks for %d replicas", target, want), func() bool {
		spec, _ := s.Live(target).Object["spec"].(map[string]any)
		return spec["replicas"] == want
	})
}
