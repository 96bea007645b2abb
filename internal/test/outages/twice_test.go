package outages_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Two runs apply one configuration at once, each with a state of its own, over a connection on which both have found that no object
// exists before the first of them creates any. Each object then has one owner. The other run leaves it alone and says so.
func TestTwoRunsCreateAtOnce(t *testing.T) {
	for name, managers := range map[string][]string{
		"with one field manager":  {"k8sconnect", "k8sconnect"},
		"with two field managers": {"one", "two"},
	} {
		t.Run(name, func(t *testing.T) {
			const rounds, count = 4, 5
			first := newStage(t)
			through := newRendezvous(t)
			runs := []*stage{first, {first.Story.Workspace()}}
			for round := range rounds {
				prefix := fmt.Sprintf("round%d", round)
				body := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"" + prefix + "-${count.index}\", namespace: NS}\ndata: {a: \"1\"}"
				for i, run := range runs {
					story.Must(t, run.Write(through.provider()+run.Manifest("x", body, fmt.Sprintf("count = %d", count), fmt.Sprintf("field_manager = %q", managers[i]))))
				}
				said := bothAtOnce(runs, "apply", "-auto-approve", "-parallelism=10")
				expectOneOwner(t, runs, managers, prefix, count)
				for i, run := range runs {
					if lost := count - len(run.state()); lost > 0 {
						run.says(said[i], "Object Already Exists", "so it was not touched")
					}
					run.Do("destroy", "-auto-approve")
				}
				if left := first.configMaps(prefix); len(left) > 0 {
					t.Errorf("the states had no part of %d objects", len(left))
				}
			}
		})
	}
}

// An object that another client creates while the create is on its way is left alone, or adopted where that changes none of its values.
// The API server compares what it is sent with what it has, so no moment is too late.
func TestCreatedOnTheWay(t *testing.T) {
	for name, tc := range map[string]struct {
		theirs, arguments string
		want              int
		says              []string
		owners            []string
	}{
		"other values": {
			theirs: "theirs", want: story.Refused, owners: []string{"bob"},
			says: []string{"Object Already Exists", "so it was not touched. Another client created it after the plan. Its field managers: \"bob\"."},
		},
		"equal values": {
			theirs: "ours", want: story.Refused, owners: []string{"bob"}, says: []string{"Object Already Exists", "so it was not touched."},
		},
		"other values to adopt": {
			theirs: "theirs", arguments: story.Adopting, want: story.Refused, owners: []string{"bob"},
			says: []string{"Object Changed Since the Plan", "data.a: \"theirs\" -> \"ours\", owned by \"bob\"", "Plan again"},
		},
		"equal values to adopt": {
			theirs: "ours", arguments: story.Adopting, want: story.Nothing, owners: []string{"bob", "k8sconnect"},
			says: []string{"Another client created the object after the plan. The apply adopted it, and changed none of its values."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			through := newRendezvous(t)
			body := func(value string) string {
				return s.Expand("{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {a: " + value + "}}")
			}
			story.Must(t, s.Write(through.provider()+s.Manifest("x", body("ours"), tc.arguments)))
			go through.interrupt(s.Expand("/api/v1/namespaces/NS/configmaps/web"), func() { s.As("bob").Apply(body(tc.theirs)) })
			out := s.exits(tc.want, "apply", "-auto-approve")
			s.says(out, tc.says...)
			object := s.configMaps("web")["web"]
			var owners []string
			for _, entry := range object.ManagedFields {
				owners = append(owners, entry.Manager)
			}
			slices.Sort(owners)
			if object.Data["a"] != tc.theirs || !slices.Equal(owners, tc.owners) {
				t.Errorf("%v, owned by %q, want %s of %q", object.Data, owners, tc.theirs, tc.owners)
			}
			if has := len(s.state()) > 0; has != (tc.want == story.Nothing) {
				t.Errorf("the state: %v", s.state())
			}
		})
	}
}

// A server that creates the object, and then answers that it is not available and when to come back, has created it for this run.
func TestCreatedAndAnsweredUnavailable(t *testing.T) {
	s := newStage(t)
	through := newRendezvous(t)
	through.unavailable = true
	story.Must(t, s.Write(through.provider()+s.Manifest("x", "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS}, data: {a: b}}")))
	s.lacks(s.exits(story.Nothing, "apply", "-auto-approve"), "Applied With Warnings")
	if uid := string(s.configMaps("web")["web"].UID); uid == "" || s.state()["k8sconnect_manifest.x"] != uid {
		t.Errorf("the object has the uid %q, the state %v", uid, s.state())
	}
	s.settled()
}

// bothAtOnce runs a command of each stage at the same time, and returns what each printed.
func bothAtOnce(stages []*stage, args ...string) []string {
	said := make([]string, len(stages))
	var all sync.WaitGroup
	for i, run := range stages {
		all.Go(func() {
			out, _ := run.Try(args...) // At most one of the two succeeds.
			said[i] = oneLine(out)
		})
	}
	all.Wait()
	return said
}

// expectOneOwner asserts that each object is in one of the states, and has only the field manager of that run.
func expectOneOwner(t *testing.T, runs []*stage, managers []string, prefix string, count int) {
	t.Helper()
	live, states := runs[0].configMaps(prefix), make([]map[string]string, len(runs))
	for i, run := range runs {
		states[i] = run.state()
	}
	if len(live) != count {
		t.Errorf("%d objects exist, want %d", len(live), count)
	}
	for index := range count {
		object := live[fmt.Sprintf("%s-%d", prefix, index)]
		var owners []string
		for i, state := range states {
			if state[fmt.Sprintf("k8sconnect_manifest.x[%d]", index)] == string(object.UID) {
				owners = append(owners, managers[i])
			}
		}
		var entries []string
		for _, entry := range object.ManagedFields {
			entries = append(entries, entry.Manager)
		}
		if len(owners) != 1 || !slices.Equal(owners, entries) {
			t.Errorf("%s is in the states of %q, and its managers are %q", object.Name, owners, entries)
		}
	}
}

// rendezvous is a proxy that holds each create until another one of the same object has come.
type rendezvous struct {
	server  *httptest.Server
	forward http.Handler

	mu      sync.Mutex
	waiting map[string]*meeting

	// unavailable makes the proxy answer each create with 503 and a Retry-After, once the server has acted.
	unavailable bool
}

func newRendezvous(t *testing.T) *rendezvous {
	t.Helper()
	config := story.ControlPlane().RESTConfig()
	transport, err := rest.TransportFor(config)
	story.Must(t, err)
	target, err := url.Parse(config.Host)
	story.Must(t, err)
	r := &rendezvous{waiting: map[string]*meeting{}}
	r.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Authorization")
		},
		Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
	}
	r.server = httptest.NewTLSServer(r)
	t.Cleanup(r.server.Close)
	return r
}

// provider returns the provider block of a run whose requests go through the proxy.
func (r *rendezvous) provider() string {
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { host = %q, token = \"any\", cluster_ca_certificate = %q }\n}\n", r.server.URL, certificate)
}

func (r *rendezvous) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	creates := request.Method == http.MethodPatch && request.URL.Query().Get("dryRun") == ""
	switch {
	case creates && r.unavailable:
		r.forward.ServeHTTP(httptest.NewRecorder(), request)
		w.Header().Set("Retry-After", "1")
		http.Error(w, "come back later", http.StatusServiceUnavailable)
		return
	case creates:
		r.meet(request.URL.Path)
	}
	r.forward.ServeHTTP(w, request)
}

// interrupt waits for a create of the path, writes, and lets that create and all later ones go on.
func (r *rendezvous) interrupt(path string, write func()) {
	for {
		r.mu.Lock()
		held := r.waiting[path]
		r.mu.Unlock()
		if held != nil {
			write()
			held.end()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// meet holds the first request of the path until the second one comes, but not for ever.
func (r *rendezvous) meet(path string) {
	r.mu.Lock()
	met := r.waiting[path]
	if met == nil {
		met = newMeeting()
		r.waiting[path] = met
	} else {
		met.end()
	}
	r.mu.Unlock()
	select {
	case <-met.over:
	case <-time.After(20 * time.Second):
	}
}

// meeting is over once end is called.
type meeting struct {
	over chan struct{}
	end  func()
}

func newMeeting() *meeting {
	over := make(chan struct{})
	return &meeting{over: over, end: sync.OnceFunc(func() { close(over) })}
}
