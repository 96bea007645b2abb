package outages_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// duringWaits applies objects that wait for an entry which no client has written yet, and calls harm when it watches
// all of them.
func (s *stage) duringWaits(count int, harm func() error) (said string, failed error) {
	s.T.Helper()
	harmed := make(chan error, 1)
	s.OnceSent(count, "watch configmaps", func() { harmed <- harm() })
	said, failed = s.Try("apply", "-auto-approve", "-no-color")
	story.Must(s.T, <-harmed)
	return oneLine(said), failed
}

// finish writes the entry for which the objects wait.
func (s *stage) finish(count int) {
	for i := range count {
		s.As("eve").Patch(fmt.Sprintf("v1 ConfigMap many-%d", i), `{"data": {"done": "yes"}}`)
	}
}

// A wait goes on when the API server is back, and sees what happened meanwhile.
func TestAPIServerRestartsDuringWaits(t *testing.T) {
	for name, ending := range map[string]testcluster.Ending{
		"after a shutdown": testcluster.Shutdown,
		"after a crash":    testcluster.Crash,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStageAlone(t)
			const count = 5
			s.Configure(s.many("many", count, `wait = { fields = { "data.done" = "yes" } }`, "timeouts {\n create = \"10m\"\n}"))
			said, err := s.duringWaits(count, func() error {
				err := story.ControlPlane().RestartAPIServer(t.Context(), ending, 2*time.Second)
				s.finish(count)
				return err
			})
			if err != nil {
				t.Fatal(tail(said))
			}
			s.settled()
		})
	}
}

// A user who loses the right to read the object while an apply waits for it is told so: the wait cannot go on. The object is in
// the state.
func TestPermissionsEndDuringAWait(t *testing.T) {
	s := newStageAlone(t)
	s.As("admin").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: writer, namespace: NS}\n" +
		"rules: [{apiGroups: [''], resources: [configmaps], verbs: [get, watch, create, patch, delete]}]\n")
	s.As("admin").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: writer, namespace: NS}\n" +
		"subjects: [{kind: User, name: NS-writer}]\nroleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: writer}\n")
	path := s.File("kubeconfig", s.Kubeconfig(s.AddUser(s.Namespace+"-writer", "writers")), 0o600)
	s.Configure(s.many("many", 1, `wait = { fields = { "data.done" = "yes" } }`, `cluster = { config_path = "`+path+`" }`))
	said, err := s.duringWaits(1, func() error {
		s.As("admin").Remove("rbac.authorization.k8s.io/v1 RoleBinding writer")
		return story.ControlPlane().RestartAPIServer(t.Context(), testcluster.Shutdown, time.Second)
	})
	if err == nil {
		t.Fatal(tail(said))
	}
	s.says(said, "could not be watched", "is forbidden", "many-0")
	if state := s.state(); len(state) != 1 {
		t.Errorf("the state has %v", state)
	}
}
