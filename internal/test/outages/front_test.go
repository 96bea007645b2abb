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
	"strings"
	"sync"

	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// front is a server in front of the API server. It passes requests on as the administrator, and answers some itself.
type front struct {
	server  *httptest.Server
	forward http.Handler

	mu sync.Mutex
	// answer answers a request, or returns false.
	answer func(http.ResponseWriter, *http.Request) bool
	// answered is how many requests it has answered.
	answered int
}

func (s *stage) newFront() *front {
	s.T.Helper()
	config := story.ControlPlane().RESTConfig()
	transport, err := rest.TransportFor(config)
	story.Must(s.T, err)
	target, err := url.Parse(config.Host)
	story.Must(s.T, err)
	f := &front{forward: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Authorization")
		},
		Transport: transport, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
	}}
	f.server = httptest.NewUnstartedServer(f)
	f.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	f.server.StartTLS()
	s.T.Cleanup(func() {
		f.server.CloseClientConnections()
		f.server.Close()
	})
	return f
}

// ServeHTTP implements http.Handler.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	answer := f.answer
	f.mu.Unlock()
	if answer != nil && answer(w, r) {
		f.mu.Lock()
		f.answered++
		f.mu.Unlock()
		return
	}
	f.forward.ServeHTTP(w, r)
}

// answering makes the front answer the requests that match, and counts from zero. A nil match ends that.
func (f *front) answering(match func(*http.Request) bool, with http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answered, f.answer = 0, nil
	if match != nil {
		f.answer = func(w http.ResponseWriter, r *http.Request) bool {
			if !match(r) {
				return false
			}
			with(w, r)
			return true
		}
	}
}

// rewriting returns a handler that answers with what change makes of the API server's answer.
func (f *front) rewriting(change func(string) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		f.forward.ServeHTTP(recorded, r)
		body := change(recorded.Body.String())
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(body, "<") {
			w.Header().Set("Content-Type", "text/html")
		}
		w.WriteHeader(recorded.Code)
		_, _ = io.WriteString(w, body)
	}
}

// times returns how many requests the front has answered itself.
func (f *front) times() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answered
}

const tokenOfFront = "token-of-the-front-4711"

func (f *front) connection() string {
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.server.Certificate().Raw})
	return fmt.Sprintf("{\nhost = %q\ncluster_ca_certificate = %q\ntoken = %q\n}", f.server.URL, ca, tokenOfFront)
}

// The requests that a front answers.
func ofSized(method string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return r.Method == method && strings.HasSuffix(r.URL.Path, "/configmaps/sized") && r.URL.Query().Get("watch") == ""
	}
}

func ofDiscovery(r *http.Request) bool { return r.URL.Path == "/api" || r.URL.Path == "/apis" }

func ofWatches(r *http.Request) bool { return r.URL.Query().Get("watch") == "true" }
