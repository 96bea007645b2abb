package manifestresource_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

// story is one test with a namespace of its own, the provider under test, and others who write to the
// same objects. Every story ends with a plan that is empty and costs one GET per read and nothing else.
type story struct {
	t         *testing.T
	namespace string
	typed     *kubernetes.Clientset
	dynamic   dynamic.Interface
	provider  recorder
	userAgent string
}

// newStory skips where TF_ACC is unset. Stories run in parallel.
func newStory(t *testing.T) *story {
	t.Helper()
	skipUnlessAcceptance(t)
	t.Parallel()
	return beginStory(t)
}

// newSerialStory returns newStory for stories that set environment variables, which no other story sees.
func newSerialStory(t *testing.T) *story {
	t.Helper()
	skipUnlessAcceptance(t)
	return beginStory(t)
}

func beginStory(t *testing.T) *story {
	t.Helper()
	config := controlPlane().RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	must(t, err)
	untyped, err := dynamic.NewForConfig(config)
	must(t, err)
	namespace, err := typed.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "story-"}}, metav1.CreateOptions{})
	must(t, err)
	s := &story{t: t, namespace: namespace.Name, typed: typed, dynamic: untyped, userAgent: namespace.Name}
	s.provider.watcher = watcher{story: s}
	t.Cleanup(func() {
		_ = typed.CoreV1().Namespaces().Delete(context.Background(), s.namespace, metav1.DeleteOptions{})
	})
	return s
}
