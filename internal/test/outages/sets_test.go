package outages_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// inSet is how many objects the sets of these tests have.
const inSet = 30

// member returns the manifest of an object of the set with a value, and how stories name the object. The set has three kinds.
func (s *stage) member(i int, value string) (manifest, target string) {
	name := fmt.Sprintf("m%02d", i)
	kind, rest := "ConfigMap", fmt.Sprintf("data = { a = %q }", value)
	switch i % 5 {
	case 3:
		kind, rest = "ServiceAccount", "automountServiceAccountToken = false"
	case 4:
		kind, rest = "Service", "spec = { ports = [{ port = 80 }] }"
	}
	return fmt.Sprintf("{ apiVersion = \"v1\", kind = %q, metadata = { name = %q, namespace = %q, annotations = { value = %q } }, %s }",
		kind, name, s.Namespace, value, rest), "v1 " + kind + " " + name
}

// set writes the configuration of a set with a value. arguments are those of the resource.
func (s *stage) set(f *front, value string, arguments ...string) {
	s.T.Helper()
	var manifests strings.Builder
	for i := range inSet {
		manifest, _ := s.member(i, value)
		fmt.Fprintf(&manifests, "    m%02d = %s\n", i, manifest)
	}
	s.ConfigureProvider(f.connection(), "resource \"k8sconnect_manifests\" \"set\" {\n  manifests = {\n"+manifests.String()+"  }\n"+
		strings.Join(arguments, "")+"}\n")
}

// manifests writes the configuration of a set of these manifests, by their keys. arguments are those of the resource.
func (s *stage) manifests(all map[string]string, arguments ...string) {
	s.T.Helper()
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&text, "    %s = <<-YAML\n%s    YAML\n", key, s.Expand(all[key]))
	}
	s.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n" + text.String() + "  }\n  " + strings.Join(arguments, "\n  ") + "\n}\n")
}

// uids returns the uids of the objects of the set that exist, by their names.
func (s *stage) uids() map[string]string {
	s.T.Helper()
	found := map[string]string{}
	for i := range inSet {
		if _, target := s.member(i, ""); !s.Gone(target) {
			found[fmt.Sprintf("m%02d", i)] = string(s.Live(target).GetUID())
		}
	}
	return found
}

// unknown returns the objects that exist and that the state does not have.
func (s *stage) unknown(objects map[string]string) []string {
	s.T.Helper()
	state := s.Do("state", "pull")
	var all []string
	for name := range objects {
		if !strings.Contains(state, fmt.Sprintf("\"%s\": {\n", name)) {
			all = append(all, name)
		}
	}
	return all
}

// ofMember matches the requests of an apply or a destroy for some objects of the set.
func ofMember(method string, names ...string) func(*http.Request) bool {
	return notDryRun(func(r *http.Request) bool {
		return r.Method == method && slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(r.URL.Path, "/"+name) })
	})
}

// lost has the API server act on a request, and breaks the connection in place of its answer.
func (f *front) lost(_ http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.answered++
	f.mu.Unlock()
	f.forward.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler)
}

// impatient ends the requests for an object soon.
const impatient = "  timeouts {\n    create = \"10s\"\n    update = \"10s\"\n    delete = \"10s\"\n  }\n"

// refusing answers with a status of the API server.
func refusing(code int, reason string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"played","reason":%q,"code":%d}`, reason, code)
	}
}

// Whatever happens to the requests for some objects of a set, in its create, its update and its destroy: no object is lost or
// created again, the others are applied, and the next run does what is left.
func TestFaultsInTheMiddleOfASet(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]func(*front) http.HandlerFunc{
		"refused":     always(refusing(http.StatusForbidden, "Forbidden")),
		"broken":      always(refusing(http.StatusInternalServerError, "InternalError")),
		"busy":        always(refusing(http.StatusTooManyRequests, "TooManyRequests")),
		"lost":        func(f *front) http.HandlerFunc { return f.lost },
		"unavailable": always(refusing(http.StatusServiceUnavailable, "ServiceUnavailable")),
	} {
		t.Run(name, func(t *testing.T) { faultsInSet(t, name, with) })
	}
}

// always answers requests through any front in the same way.
func always(with http.HandlerFunc) func(*front) http.HandlerFunc {
	return func(*front) http.HandlerFunc { return with }
}

// faultsInSet plays the life of a set in which three objects have a fault in the create, the update and the destroy.
func faultsInSet(t *testing.T, name string, with func(*front) http.HandlerFunc) {
	s := newStage(t)
	f := s.newFront()
	faulty := []string{"m03", "m04", "m17"}
	during := func(value, method string, args ...string) {
		t.Helper()
		if s.set(f, value, impatient); name == "refused" {
			s.set(f, value) // It is not tried again.
		}
		f.answering(ofMember(method, faulty...), with(f))
		said, err := s.Try(args...)
		isTold := err != nil && !slices.ContainsFunc(faulty, func(object string) bool { return !strings.Contains(said, "/"+object+" (v1)") })
		if name == "refused" && !isTold {
			t.Errorf("%v does not say what was refused: %v\n%s", args, err, said)
		}
		if f.times() == 0 {
			t.Errorf("%s: no request of %v met it", name, args)
		}
		f.answering(nil, nil)
		if lost := s.unknown(s.uids()); len(lost) > 0 {
			t.Errorf("%s: the state does not have %v after %v", name, lost, args)
		}
		s.set(f, value)
	}
	during("1", "PATCH", "apply", "-auto-approve")
	first := s.uids()
	least := inSet / 2 // A busy machine may let other requests run out of time, too.
	if name == "refused" {
		least = inSet - len(faulty)
	}
	if len(first) < least {
		t.Errorf("%s: the create has applied %d objects", name, len(first))
	}
	s.Do("apply", "-auto-approve")
	s.Do("plan", "-detailed-exitcode")
	all := s.uids()
	for object, uid := range first {
		if all[object] != uid {
			t.Errorf("%s: %s was created again", name, object)
		}
	}
	during("2", "PATCH", "apply", "-auto-approve")
	s.Do("apply", "-auto-approve")
	s.Do("plan", "-detailed-exitcode")
	if now := s.uids(); len(now) != inSet || fmt.Sprint(now) != fmt.Sprint(all) {
		t.Errorf("%s: the update has changed the objects %v to %v", name, all, now)
	}
	if name != "refused" {
		s.set(f, "2", impatient)
		s.Do("apply", "-auto-approve") // A destroy has the timeouts of the state.
	}
	during("2", "DELETE", "destroy", "-auto-approve")
	if left := s.uids(); name == "refused" && fmt.Sprint(slices.Sorted(maps.Keys(left))) != fmt.Sprint(faulty) {
		t.Errorf("the destroy has left %v", left)
	}
	s.Do("destroy", "-auto-approve")
	if left := s.uids(); len(left) > 0 {
		t.Errorf("%s: the destroy has left %v", name, left)
	}
}

// A provider that is killed in the middle of a set loses nothing, whether it was at the first, a later or the last object, and
// whether the API server has got the request: the next run finds what was applied, and does the rest.
func TestSetWhoseProviderIsKilled(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	for _, point := range []struct {
		request   int32
		isHandled bool
	}{{1, false}, {inSet / 2, true}, {inSet, true}} {
		killed := func(method string, args ...string) {
			t.Helper()
			process, reattach := s.Detached()
			var came atomic.Int32
			f.answering(notDryRun(func(r *http.Request) bool { return r.Method == method }), func(w http.ResponseWriter, r *http.Request) {
				is := came.Add(1) == point.request
				if is && !point.isHandled {
					_ = process.Kill()
					panic(http.ErrAbortHandler)
				}
				f.forward.ServeHTTP(w, r)
				if is {
					_ = process.Kill()
				}
			})
			plain := s.Env
			s.Env = append(slices.Clone(plain), reattach)
			_, err := s.Try(args...)
			if s.Env = plain; err == nil && point.request < inSet { // The provider may answer before it ends.
				t.Errorf("%v ended well, although its provider was killed", args)
			}
			_ = process.Kill()
			f.answering(nil, nil)
		}
		s.set(f, "1")
		killed("PATCH", "apply", "-auto-approve")
		first := s.uids()
		if point.isHandled && len(first) == 0 {
			t.Error("the provider was killed before it created an object")
		}
		s.Do("apply", "-auto-approve")
		s.Do("plan", "-detailed-exitcode")
		all := s.uids()
		for object, uid := range first {
			if all[object] != uid {
				t.Errorf("%s was created again", object)
			}
		}
		s.set(f, "2")
		killed("PATCH", "apply", "-auto-approve")
		s.Do("apply", "-auto-approve")
		s.Do("plan", "-detailed-exitcode")
		if now := s.uids(); len(now) != inSet || fmt.Sprint(now) != fmt.Sprint(all) {
			t.Errorf("the update has changed the objects %v to %v", all, now)
		}
		killed("DELETE", "destroy", "-auto-approve")
		s.Do("destroy", "-auto-approve")
		if left := s.uids(); len(left) > 0 {
			t.Errorf("the destroy has left %v", left)
		}
	}
}

// Ten writers change the objects of a set while it is applied: each apply ends well or says what it met, and when they are quiet,
// the set is as configured.
func TestTenWritersOfASet(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	s.set(f, "0")
	s.Do("apply", "-auto-approve")
	stop := make(chan struct{})
	var writers sync.WaitGroup
	end := sync.OnceFunc(func() {
		close(stop)
		writers.Wait()
	})
	t.Cleanup(end)
	for writer := range 10 {
		client := s.As(fmt.Sprintf("writer-%d", writer))
		key := fmt.Sprintf("w%d", writer)
		if writer == 0 {
			key = "value" // This one contests what the set declares.
		}
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
					_, target := s.member((n*7+writer)%inSet, "")
					began := time.Now()
					client.Patch(target, fmt.Sprintf(`{"metadata":{"annotations":{%q:"written %d"}}}`, key, n))
					time.Sleep(time.Since(began))
					breathe()
				}
			}
		})
	}
	for value := range 5 {
		s.set(f, fmt.Sprint(value+1))
		_, _ = s.Try("apply", "-auto-approve")
	}
	end()
	s.Do("apply", "-auto-approve")
	s.Do("plan", "-detailed-exitcode")
	for i := range inSet {
		_, target := s.member(i, "")
		if has := s.Live(target).GetAnnotations(); has["value"] != "5" || len(has) < 2 {
			t.Errorf("%s has %v", target, has)
		}
	}
	s.Do("destroy", "-auto-approve")
}
