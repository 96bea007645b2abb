package outages_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// withHooks writes the configuration of a set of one ConfigMap, with two Jobs before it and one after it.
func (s *stage) withHooks(f *front, value string) {
	s.T.Helper()
	var hooks strings.Builder
	for name, events := range map[string]string{"one": "pre-install,pre-upgrade", "two": "pre-install,pre-upgrade", "three": "post-install,post-upgrade"} {
		fmt.Fprintf(&hooks, "    %s = <<-EOT\n%s\nEOT\n", name, s.Expand(`apiVersion: batch/v1
kind: Job
metadata: {name: `+name+`, namespace: NS, annotations: {helm.sh/hook: "`+events+`"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}
`))
	}
	s.ConfigureProvider(f.connection(), fmt.Sprintf(`resource "k8sconnect_manifests" "set" {
  manifests = { a = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: %s}, data: {a: '%s'}}" }
  hooks = {
%s  }
}
`, s.Namespace, value, hooks.String()))
}

// ended returns the uids of the Jobs that have ended well, by their names.
func (s *stage) ended() map[string]string {
	s.T.Helper()
	found := map[string]string{}
	for _, name := range []string{"one", "two", "three"} {
		target := "batch/v1 Job NS/" + name
		if s.Gone(target) {
			continue
		}
		s.Await("the Job has ended", func() bool { return strings.Contains(fmt.Sprint(s.Live(target).Object["status"]), "succeeded:1") })
		found[name] = string(s.Live(target).GetUID())
	}
	return found
}

// killAt runs an apply whose provider is killed after one of its requests with these methods, and returns how many came.
func (s *stage) killAt(f *front, point int32, methods ...string) int32 {
	s.T.Helper()
	process, reattach := s.Detached()
	var came atomic.Int32
	isOne := func(r *http.Request) bool { return slices.Contains(methods, r.Method) }
	f.answering(notDryRun(isOne), func(w http.ResponseWriter, r *http.Request) {
		f.forward.ServeHTTP(w, r)
		if came.Add(1) == point+1 {
			_ = process.Kill()
		}
	})
	plain := s.Env
	s.Env = append(slices.Clone(plain), reattach)
	_, _ = s.Try("apply", "-auto-approve")
	s.Env = plain
	_ = process.Kill()
	f.answering(nil, nil)
	return came.Load()
}

// A provider that is killed at any of its writes runs no hook of the same operation again that has ended well, and each of
// the next operation.
func TestHooksWhoseProviderIsKilled(t *testing.T) {
	t.Parallel()
	for point := range int32(4) {
		t.Run(fmt.Sprintf("write %d", point+1), func(t *testing.T) {
			s := newStage(t)
			f := s.newFront()
			killed := func(value string) {
				t.Helper()
				s.withHooks(f, value)
				s.killAt(f, point, http.MethodPatch)
			}
			goesOn := func(what string, before map[string]string) map[string]string {
				t.Helper()
				killedAt := s.ended()
				s.Do("apply", "-auto-approve")
				s.exits(story.Nothing, "plan", "-detailed-exitcode")
				after := s.ended()
				if len(after) != 3 {
					t.Errorf("%s: the Jobs are %v", what, after)
				}
				for name, uid := range killedAt {
					if before[name] != uid && after[name] != uid {
						t.Errorf("%s: %s ran again", what, name)
					}
				}
				for name, uid := range before {
					if after[name] == uid {
						t.Errorf("%s: %s did not run", what, name)
					}
				}
				return after
			}
			killed("1")
			first := goesOn("create", nil)
			killed("2")
			goesOn("update", first)
			// The same operations once more, for which nothing may count that ran before.
			s.withHooks(f, "1")
			s.Do("apply", "-auto-approve")
			back := s.ended()
			killed("2")
			goesOn("update again", back)
			s.Do("destroy", "-auto-approve")
			left := s.ended()
			s.withHooks(f, "1")
			s.Do("apply", "-auto-approve")
			for name, uid := range left {
				if s.ended()[name] == uid {
					t.Errorf("create again: %s did not run", name)
				}
			}
		})
	}
}

// A controller that writes to a hook while a destroy takes its operation's name away does not keep the name there.
func TestHookThatChangesWhileItIsReleased(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	s.withHooks(f, "1")
	s.Do("apply", "-auto-approve")
	var once sync.Once
	isOne := func(r *http.Request) bool {
		return r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/jobs/one")
	}
	f.answering(isOne, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() { s.As("controller").Patch("batch/v1 Job NS/one", `{"metadata": {"labels": {"a": "b"}}}`) })
		f.forward.ServeHTTP(w, r)
	})
	s.Do("destroy", "-auto-approve")
	if times := f.times(); times != 2 {
		t.Errorf("it was sent %d times", times)
	}
	if of := s.Live("batch/v1 Job NS/one").GetAnnotations()["k8sconnect.io/hook-of"]; of != "" {
		t.Errorf("the hook still has %s", of)
	}
}

// A provider that is killed while it takes over a release leaves what the next apply finishes: the objects are never made
// again, and Helm either knows the newest revision, or nothing.
func TestReleaseWhoseProviderIsKilled(t *testing.T) {
	t.Parallel()
	const manifest = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: NS}, data: {a: '1'}}"
	for point := range int32(4) {
		t.Run(fmt.Sprintf("write %d", point+1), func(t *testing.T) {
			s := newStage(t)
			f := s.newFront()
			uid := s.As("helm").Apply(manifest).GetUID()
			for revision, status := range []string{"superseded", "failed", "deployed"} {
				s.StoreRelease("Secret", fmt.Sprintf("web.v%d", revision+1), status, manifest)
			}
			s.ConfigureProvider(f.connection(), s.Expand(fmt.Sprintf(`resource "k8sconnect_manifests" "set" {
  manifests         = { a = %q }
  take_over_release = { name = "web", namespace = "NS" }
}
`, manifest)))
			if came := s.killAt(f, point, http.MethodPatch, http.MethodDelete); came <= point {
				t.Fatalf("the apply sent %d writes", came)
			}
			stored := func(revision int) bool {
				return !s.Gone(fmt.Sprintf("v1 Secret NS/sh.helm.release.v1.web.v%d", revision))
			}
			if (stored(1) || stored(2)) && !stored(3) {
				t.Error("Helm knows an older revision alone")
			}
			s.Do("apply", "-auto-approve")
			s.exits(story.Nothing, "plan", "-detailed-exitcode")
			if s.Live("v1 ConfigMap NS/a").GetUID() != uid || stored(1) || stored(2) || stored(3) {
				t.Error("the object was made again, or Helm still knows the release")
			}
			story.Must(t, s.ExpectOwners("v1 ConfigMap NS/a", "data.a", s.State()[0].AttributeValues["field_manager"].(string))(nil))
		})
	}
}
