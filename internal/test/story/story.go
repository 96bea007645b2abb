package story

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

// Story is one test with a namespace of its own, the provider under test, and others who write to the
// same objects. Every story ends with a plan that is empty and costs one GET per read and nothing else.
type Story struct {
	T         *testing.T
	Namespace string
	Typed     *kubernetes.Clientset
	Dynamic   dynamic.Interface
	Provider  Recorder
	UserAgent string
}

// New skips where TF_ACC is unset. Stories run in parallel.
func New(t *testing.T) *Story {
	t.Helper()
	SkipUnlessAcceptance(t)
	t.Parallel()
	return beginStory(t)
}

// NewSerial returns newStory for stories that set environment variables, which no other story sees.
func NewSerial(t *testing.T) *Story {
	t.Helper()
	SkipUnlessAcceptance(t)
	return beginStory(t)
}

func beginStory(t *testing.T) *Story {
	t.Helper()
	config := ControlPlane().RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	Must(t, err)
	untyped, err := dynamic.NewForConfig(config)
	Must(t, err)
	namespace, err := typed.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "story-"}}, metav1.CreateOptions{})
	Must(t, err)
	s := &Story{T: t, Namespace: namespace.Name, Typed: typed, Dynamic: untyped, UserAgent: namespace.Name}
	s.Provider.watcher = watcher{Story: s}
	t.Cleanup(func() {
		_ = typed.CoreV1().Namespaces().Delete(context.Background(), s.Namespace, metav1.DeleteOptions{})
	})
	return s
}
