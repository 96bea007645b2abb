package outages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// sizedData reads the ConfigMap sized, and waits for more arguments.
func (s *stage) sizedData(arguments string) string {
	return fmt.Sprintf("data \"k8sconnect_object\" \"test\" {\napi_version = \"v1\"\nkind = \"ConfigMap\"\nnamespace = %q\nname = \"sized\"\n%s\n}\n", s.Namespace, arguments)
}

// Redirects are not followed: the token and the object go to no other host. The error names both hosts.
func TestRedirectsAreNotFollowed(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	var caught atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { caught.Add(1) }))
	t.Cleanup(other.Close)
	s.ConfigureProvider(f.connection(), s.sized("small"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	uid := s.state()[address]
	to := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path+"?secret=hunter2", code)
		}
	}
	data := s.sizedData("")
	waiting := s.sizedData("wait = { conditions = { Ready = \"True\" } }\ntimeouts {\n  read = \"20s\"\n}")
	for name, test := range map[string]struct {
		match   func(*http.Request) bool
		code    int
		config  string
		command []string
		could   string
	}{
		"a read":      {ofSized("GET"), 302, s.sized("small"), []string{"plan"}, "could not be read"},
		"a dry-run":   {ofSized("PATCH"), 307, s.sized("large"), []string{"plan"}, "could not be planned"},
		"an apply":    {notDryRun(ofSized("PATCH")), 308, s.sized("large"), []string{"apply", "-auto-approve"}, "could not be updated"},
		"a destroy":   {ofSized("DELETE"), 307, s.sized("small"), []string{"destroy", "-auto-approve"}, "could not be deleted"},
		"discovery":   {ofDiscovery, 302, s.sized("small"), []string{"plan"}, "could not be read"},
		"data source": {ofSized("GET"), 301, data, []string{"plan", "-refresh=false"}, "could not be read"},
		"a watch":     {ofWatches, 302, waiting, []string{"plan", "-refresh=false"}, "could not be"},
	} {
		s.ConfigureProvider(f.connection(), test.config)
		f.answering(test.match, to(test.code))
		said := s.exits(story.Refused, test.command...)
		if f.times() == 0 {
			t.Errorf("%s: no request was redirected", name)
		}
		s.says(said, "Redirect Refused", "ConfigMap "+s.Namespace+"/sized (v1) "+test.could,
			fmt.Sprintf("%s answered with a redirect (HTTP %d) to %s, and redirects are not followed", f.server.URL, test.code, other.URL),
			"Set the URL of the API server itself in the cluster connection")
		s.lacks(said, "hunter2", tokenOfFront, "no answer from")
		s.expectSize("small")
	}
	if caught.Load() > 0 {
		t.Errorf("%d requests came to the other host", caught.Load())
	}
	f.answering(ofSized("GET"), func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) })
	s.ConfigureProvider(f.connection(), s.sized("small"))
	s.says(s.exits(story.Refused, "plan"), "Redirect Refused", "to another path on the same host")
	f.answering(nil, nil)
	s.settled()
	if s.state()[address] != uid {
		t.Errorf("the state has the uid %q, want %q", s.state()[address], uid)
	}
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// notDryRun matches the requests of match that change something.
func notDryRun(match func(*http.Request) bool) func(*http.Request) bool {
	return func(r *http.Request) bool { return match(r) && r.URL.Query().Get("dryRun") == "" }
}

// Answers that are not the object that was asked for are errors, and change neither the object nor the state.
func TestAnswersThatAreNotTheObject(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	s.ConfigureProvider(f.connection(), s.sized("small"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	uid := s.state()[address]
	replacing := func(old, with string) func(string) string {
		return func(body string) string { return strings.Replace(body, old, with, 1) }
	}
	instead := func(body string) func(string) string { return func(string) string { return body } }
	here := "ConfigMap " + s.Namespace + "/sized (v1)"
	for name, test := range map[string]struct {
		change func(string) string
		says   string
	}{
		"another name":      {replacing(`"name":"sized"`, `"name":"other"`), "it is ConfigMap " + s.Namespace + "/other (v1)"},
		"another namespace": {replacing(`"namespace":"`+s.Namespace+`"`, `"namespace":"other"`), "it is ConfigMap other/sized (v1)"},
		"another kind":      {replacing(`"kind":"ConfigMap"`, `"kind":"Secret"`), "it is Secret " + s.Namespace + "/sized (v1)"},
		"a uid of a number": {replacing(`"uid":"`+uid+`"`, `"uid":5`), "it is " + here + " without a uid"},
		"no uid":            {replacing(`"uid":"`+uid+`",`, ``), "it is " + here + " without a uid"},
		"metadata":          {instead(`{"apiVersion":"v1","kind":"ConfigMap","metadata":5,"data":{"a":"hunter2"}}`), "it is ConfigMap (v1) without metadata"},
		"a list":            {instead(`{"apiVersion":"v1","kind":"ConfigMapList","metadata":{},"items":[]}`), "it is a list, ConfigMapList (v1)"},
		"a page":            {instead("<html>hunter2</html>"), "it is of the type text/html, not a Kubernetes object in JSON"},
	} {
		for method, could := range map[string]string{"GET": "read", "PATCH": "planned"} {
			f.answering(ofSized(method), f.rewriting(test.change))
			s.ConfigureProvider(f.connection(), s.sized("large"))
			said := s.exits(story.Refused, "plan")
			if f.times() == 0 {
				t.Errorf("%s: no answer was changed", name)
			}
			s.says(said, here+" could not be "+could+": the answer of "+f.server.URL+" to "+method+" is not the object that was asked for: "+test.says,
				"Check that the URL in the cluster connection is that of the API server")
			s.lacks(said, "bug in the provider", "hunter2")
			s.expectSize("small")
		}
	}
	f.answering(notDryRun(ofSized("PATCH")), f.rewriting(replacing(`"uid":"`+uid+`"`, `"uid":"other"`)))
	said := s.exits(story.Refused, "apply", "-auto-approve")
	s.says(said, "Unexpected Answer", "it is "+here+" with the uid other, not "+uid)
	s.lacks(said, "bug in the provider")
	if s.state()[address] != uid {
		t.Errorf("the state has the uid %q, want %q", s.state()[address], uid)
	}
	f.answering(nil, nil)
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// A server that asks to wait for longer than an operation may take is told as such at once. Shorter waits are waited for.
func TestServerThatAsksToWait(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	s.ConfigureProvider(f.connection(), s.sized("small"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	busy := func(code int, after string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(code)
		}
	}
	for _, test := range []struct {
		match       func(*http.Request) bool
		code        int
		after, says string
		lacks       string
	}{
		{ofSized("GET"), 429, "3600", "is busy (HTTP 429) and asks to wait for an hour; ", "later."},
		{ofSized("PATCH"), 503, "7200", "is busy (HTTP 503) and asks to wait for 2 hours; ", "later."},
		{ofDiscovery, 429, "3600", "is busy (HTTP 429) and asks to wait for an hour.", "raise the"},
	} {
		f.answering(test.match, busy(test.code, test.after))
		s.ConfigureProvider(f.connection(), s.sized("large"))
		began := time.Now()
		said := s.exits(story.Refused, "plan")
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("the plan took %s", took)
		}
		s.says(said, "API Server Busy", "the API server at "+f.server.URL+" "+test.says, "Try again later")
		s.lacks(said, "no answer from", test.lacks)
	}
	var asked atomic.Int32
	f.answering(func(r *http.Request) bool { return ofSized("PATCH")(r) && asked.Add(1) == 1 }, busy(429, "1"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	f.answering(nil, nil)
	s.exits(story.Nothing, "destroy", "-auto-approve")
	asked.Store(0)
	f.answering(func(r *http.Request) bool { return notDryRun(ofSized("PATCH"))(r) && asked.Add(1) <= 3 }, busy(429, "8"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	if asked.Load() != 4 {
		t.Errorf("the create was sent %d times", asked.Load())
	}
	f.answering(nil, nil)
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// An answer that is decompressed to more than an object may be is not read to its end.
func TestAnswerThatIsTooLarge(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	s.ConfigureProvider(f.connection(), s.sized("small"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	f.answering(ofSized("GET"), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 20 << 4 {
			_, _ = w.Write(make([]byte, 1<<16))
		}
	})
	s.says(s.exits(story.Refused, "plan"), "Unexpected Answer", "the answer of "+f.server.URL+" is larger than 16 MiB, the most that the provider reads")
	f.answering(nil, nil)
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// An error about a server that is reached in the wrong way names the protocol, or the proxy.
func TestProtocolsAndProxies(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	tls := f.server.Listener.Addr().String()
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(map[bool]int{true: http.StatusForbidden, false: http.StatusOK}[r.Method == http.MethodConnect])
	}))
	t.Cleanup(plain.Close)
	port := strings.TrimPrefix(plain.URL, "http://")
	for name, test := range map[string]struct {
		connection string
		says       []string
	}{
		"http to a TLS port": {fmt.Sprintf("{ host = %q }", "http://"+tls), []string{"the server expects https, and the connection uses http", "Write https://"}},
		"https to a port without TLS": {
			fmt.Sprintf("{ host = %q, token = \"t\" }", "https://"+port),
			[]string{"the server answers in http, and the connection uses https", "Correct the port"},
		},
		"a proxy": {
			fmt.Sprintf("{ host = \"https://127.0.0.1:1\", token = \"t\", proxy_url = %q }", "http://me:hunter2@"+port),
			[]string{"no answer from https://127.0.0.1:1: the proxy " + port + " refused to connect: 403 Forbidden", "Check proxy_url of the cluster connection"},
		},
	} {
		t.Run(name, func(*testing.T) {
			s.ConfigureProvider(test.connection, s.sized("small"))
			said := s.exits(story.Refused, "plan")
			s.says(said, append(test.says, "Cluster Unreachable")...)
			s.lacks(said, "hunter2", "Check the address in the cluster connection")
		})
	}
}
