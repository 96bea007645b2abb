package story

import (
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
)

// Story is one test with its own namespace, the provider under test, and other managers that write to the same objects.
// Every story ends with an empty plan that sends one GET for each read and no other request.
type Story struct {
	// T is the test.
	T *testing.T
	// Namespace is the story's own. It stays after the story, because its removal costs more than most stories: it ends
	// with the control plane.
	Namespace string
	// Typed and Dynamic are clients of an administrator.
	Typed   *kubernetes.Clientset
	Dynamic dynamic.Interface
	// Provider records the provider's messages.
	Provider Recorder
	// UserAgent tells the provider's requests from those of other stories.
	UserAgent string
	mapper    meta.ResettableRESTMapper
}

// New begins a story, which runs in parallel with other stories. It skips the test if TF_ACC is not set.
func New(t *testing.T) *Story {
	t.Helper()
	SkipUnlessAcceptance(t)
	t.Parallel()
	return beginStory(t)
}

// NewCompared does what [New] does, and compares what is answered ahead of the plugin framework with its own answers.
func NewCompared(t *testing.T) *Story {
	t.Helper()
	s := New(t)
	s.Provider.Compares = true
	return s
}

// NewSerial does what [New] does, without t.Parallel: for stories that set environment variables, which no other story
// may see, and for tests that decide themselves what runs in parallel.
func NewSerial(t *testing.T) *Story {
	t.Helper()
	SkipUnlessAcceptance(t)
	return beginStory(t)
}

// In begins a story in an existing namespace, which stays after the story. It skips the test if TF_ACC is not set.
func In(t *testing.T, namespace string) *Story {
	t.Helper()
	SkipUnlessAcceptance(t)
	admin, err := admins()
	Must(t, err)
	s := &Story{T: t, Namespace: namespace, Typed: admin.typed, Dynamic: admin.untyped, mapper: admin.mapper}
	// Package testing holds the functions of Cleanup, and so the story, until the last test of the package has ended.
	t.Cleanup(func() { s.Provider = Recorder{} })
	return s
}

// clients are those of an administrator.
type clients struct {
	typed   *kubernetes.Clientset
	untyped dynamic.Interface
	mapper  meta.ResettableRESTMapper
}

// admins returns the clients that all stories share: the discovery of a cluster takes megabytes.
var admins = sync.OnceValues(func() (clients, error) {
	config := ControlPlane().RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return clients{}, err
	}
	untyped, err := dynamic.NewForConfig(config)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(typed.Discovery()))
	return clients{typed, untyped, mapper}, err
})

func beginStory(t *testing.T) *Story {
	t.Helper()
	s := In(t, "")
	namespaces := s.Typed.CoreV1().Namespaces()
	created, err := namespaces.Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "story-"}}, metav1.CreateOptions{})
	Must(t, err)
	s.Namespace, s.UserAgent = created.Name, created.Name
	s.Provider.watcher = watcher{Story: s}
	t.Cleanup(func() { s.Provider.checkReports(t) })
	return s
}
