package acceptance_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// impostor is a reverse proxy in front of the control plane that may answer instead of it.
type impostor struct {
	url string
	// answers is nil, or a handler that says whether it has answered.
	answers atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func newImpostor(s *story.Story) *impostor {
	s.T.Helper()
	config := story.ControlPlane().RESTConfig()
	target, err := url.Parse(config.Host)
	story.Must(s.T, err)
	transport, err := rest.TransportFor(config)
	story.Must(s.T, err)
	proxy := &httputil.ReverseProxy{Transport: transport, FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	i := &impostor{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answers := i.answers.Load(); answers == nil || !(*answers)(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	s.T.Cleanup(server.Close)
	i.url = server.URL
	return i
}

func (i *impostor) answer(answers func(http.ResponseWriter, *http.Request) bool) {
	i.answers.Store(&answers)
}

// An object is gone only if the API server says so about this object. With any other answer to a refresh or a
// destroy, the object stays in the state and on the cluster.
func TestDestroyBelievesTheServerAlone(t *testing.T) {
	t.Parallel()
	page := func(w http.ResponseWriter) { http.Error(w, "404 page not found", http.StatusNotFound) }
	missing := func(details string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"the impostor says so","reason":"NotFound",`+
				`"details":{%s},"code":404}`, details)
		}
	}
	atObject := func(method string, answer func(http.ResponseWriter)) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			meant := r.Method == method && strings.Contains(r.URL.Path, "/configmaps/")
			if meant {
				answer(w)
			}
			return meant
		}
	}
	for name, test := range map[string]struct {
		answers func(w http.ResponseWriter, r *http.Request) bool
		says    []string
	}{
		"a load balancer that knows nothing": {
			answers: func(w http.ResponseWriter, _ *http.Request) bool { page(w); return true },
			says:    []string{"could not be read", "does not know the path /apis"},
		},
		"a load balancer that knows discovery alone": {
			answers: atObject(http.MethodGet, page),
			says:    []string{"could not be read", "404 that does not name the object"},
		},
		"a gateway that misses something of its own": {
			answers: atObject(http.MethodGet, missing(`"name":"c-1","kind":"clusters"`)),
			says:    []string{"could not be read", "the impostor says so"},
		},
		"a gateway that misses the object, at the deletion alone": {
			answers: atObject(http.MethodDelete, missing(`"name":"web","kind":"configmaps"`)),
			says:    []string{"could not be deleted", "the server did not find the object, but still has it"},
		},
		"a plain 404 at the deletion alone": {
			answers: atObject(http.MethodDelete, page),
			says:    []string{"could not be deleted", "404 that does not name the object"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight("v1 ConfigMap web")
			proxy := newImpostor(s)
			provider := fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { host = %q }\n}\n", proxy.url)
			config := provider + s.Manifest("test", story.ConfigMap)
			s.Run(
				resource.TestStep{Config: config, Check: old.See},
				resource.TestStep{
					PreConfig: func() { proxy.answer(test.answers) }, Config: provider,
					ExpectError: story.Saying(append([]string{"API Server Error", s.Expand("ConfigMap NS/web (v1)")}, test.says...)...),
				},
				resource.TestStep{
					PreConfig:        func() { proxy.answers.Store(nil) },
					Config:           config,
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()), Check: old.ExpectKept,
				},
				resource.TestStep{Config: provider, Check: s.ExpectGone(old.Target)},
			)
		})
	}
}

// An object whose API version is no longer served is not gone: the provider reads and deletes it in the version
// that is served.
func TestDestroyOfVersionThatIsGone(t *testing.T) {
	s := story.New(t)
	t.Cleanup(s.DropDefinition)
	const target, definition = "NS.example.com/v1 Widget default/web", "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com"
	const both = `[{"op": "add", "path": "/spec/versions/-", "value": {"name": "v1beta1", "served": SERVED, "storage": false,
		"schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}]`
	serving := func(version string) func() bool {
		return func() bool { return !unserved(s, "NS.example.com/"+version, "widgets") }
	}
	s.As("kubectl").Create(story.WidgetDefinition)
	s.As("kubectl").JSONPatch(definition, strings.Replace(both, "SERVED", "true", 1))
	s.Await("both versions are served", func() bool { return serving("v1")() && serving("v1beta1")() })
	old := s.Sight(target)
	config := s.Config("{apiVersion: NS.example.com/v1beta1, kind: Widget, metadata: {name: web}, spec: {colour: red}}")
	s.Run(
		resource.TestStep{Config: config, Check: old.See},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl").JSONPatch(definition, `[{"op": "replace", "path": "/spec/versions/1/served", "value": false}]`)
				s.Await("v1beta1 is not served", func() bool { return !serving("v1beta1")() })
			},
			Config: config, ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()), Check: old.ExpectKept,
		},
		resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone(target)},
	)
}
