package outages_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A provider that is killed in an update that it would undo, at each of its requests, leaves the state as it was: the next plan with
// the old configuration says what is still changed on the cluster, and its apply sets that back. So it is after a request that fails.
func TestUndoIsCutOff(t *testing.T) {
	t.Parallel()
	const isNew, isOld = "2", "1"
	for _, point := range []struct {
		name, method string
		request      int32
		isHandled    bool
		live         string
	}{
		{"after the update has written", http.MethodPatch, 1, true, isNew},
		{"as the update begins to wait", http.MethodGet + " watch", 1, false, isNew},
		{"before the undo reads", http.MethodGet, 1, false, isNew},
		{"before the undo writes", http.MethodPatch, 2, false, isNew},
		{"after the undo has written", http.MethodPatch, 2, true, isOld},
	} {
		for _, dies := range []bool{true, false} {
			if !dies && (point.isHandled || strings.Contains(point.method, "watch")) {
				continue // The provider sends such a request again.
			}
			t.Run(fmt.Sprintf("%s, killed %t", point.name, dies), func(t *testing.T) {
				s := newStage(t)
				f := s.newFront()
				has := func(value string) {
					s.ConfigureProvider(f.connection(), s.Manifest("test", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: NS}\n"+
						"data: {a: \""+value+"\"}", `wait = { fields = { "data.a" = "1", "data.b" = "*" }, on_failure = "undo" }`, "timeouts {\n update = \"10s\"\n}"))
				}
				s.As("eve").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: NS}\ndata: {b: x}\n")
				has(isOld)
				s.Do("import", address, "apiVersion=v1,kind=ConfigMap,namespace="+s.Namespace+",name=one")
				s.Do("apply", "-auto-approve")
				has(isNew)
				s.Do("plan", "-out=plan")
				process, reattach := s.Detached()
				var came, updated atomic.Int32
				f.answering(notDryRun(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/configmaps/one") || isWatch(r) }),
					func(w http.ResponseWriter, r *http.Request) {
						method := r.Method
						if isWatch(r) {
							method += " watch"
						}
						// The plan of the apply reads the object, too.
						is := method == point.method && (method != http.MethodGet || updated.Load() > 0) && came.Add(1) == point.request
						switch {
						case is && !dies:
							w.Header().Set("Content-Type", "application/json")
							w.WriteHeader(http.StatusForbidden)
							_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no longer allowed"}`))
							return
						case is && !point.isHandled:
							_ = process.Kill()
							panic(http.ErrAbortHandler)
						}
						f.forward.ServeHTTP(w, r)
						if r.Method == http.MethodPatch {
							updated.Add(1)
						}
						if is {
							_ = process.Kill()
						}
					})
				plain := s.Env
				s.Env = append(slices.Clone(plain), reattach)
				said := s.exits(story.Refused, "apply", "-no-color", "plan")
				s.Env = plain
				f.answering(nil, nil)
				if !dies && (!strings.Contains(said, "could not be set back") || !strings.Contains(said, "Object Not Ready")) {
					t.Errorf("the apply says:\n%s", tail(said))
				}
				if data := s.Live("v1 ConfigMap one").Object["data"]; !strings.Contains(fmt.Sprint(data), "a:"+point.live) {
					t.Errorf("the object has %v, want a:%s", data, point.live)
				}
				has(isOld)
				if point.live == isNew {
					if next := s.exits(story.Changes, "plan", "-detailed-exitcode"); !strings.Contains(next, `"2" -> "1"`) {
						t.Errorf("the next plan does not set the value back:\n%s", tail(next))
					}
				}
				s.Do("apply", "-auto-approve")
				s.settled()
			})
		}
	}
}

func isWatch(r *http.Request) bool { return r.URL.Query().Get("watch") == "true" }
