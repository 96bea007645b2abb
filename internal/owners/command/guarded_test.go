package command

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// hostile is an API server that serves ConfigMaps, and answers their lists as lists does.
func hostile(t *testing.T, lists http.HandlerFunc) string {
	t.Helper()
	answers := map[string]string{
		"/api":  `{"kind": "APIVersions", "versions": ["v1"]}`,
		"/apis": `{"kind": "APIGroupList", "apiVersion": "v1", "groups": []}`,
		"/api/v1": `{"kind": "APIResourceList", "groupVersion": "v1", "resources": [{"name": "configmaps", "singularName": "configmap",` +
			` "namespaced": true, "kind": "ConfigMap", "verbs": ["list", "get", "patch"]}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if answer, is := answers[r.URL.Path]; is {
			_, _ = io.WriteString(w, answer)
			return
		}
		lists(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// another is a page of no objects that another one follows.
func another(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"continue": "more"}, "items": []}`)
}

// bomb is an answer of spaces that gzip makes small.
func bomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	blank := []byte(strings.Repeat(" ", 1<<20))
	for range 1 << 10 {
		if _, err := packed.Write(blank); err != nil {
			return
		}
	}
	_ = packed.Close()
}

// kubectl owners trusts an API server as little as the provider does: it follows no redirect, and what it reads ends.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		elsewhere.Add(1)
		_, _ = io.WriteString(w, "{}")
	}))
	t.Cleanup(other.Close)
	t.Cleanup(func() {
		if asked := elsewhere.Load(); asked > 0 {
			t.Errorf("%d requests have followed a redirect", asked)
		}
	})
	redirect := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }
	for name, test := range map[string]struct {
		url  string
		want string
	}{
		"a redirect":          {hostile(t, redirect), "redirect"},
		"a redirect at first": {httptest.NewServer(http.HandlerFunc(redirect)).URL, "redirect"},
		"an endless list":     {hostile(t, another), "does not end"},
		"a huge answer":       {hostile(t, bomb), "larger than"},
		"a slow answer":       {hostile(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), "exceeded"},
		"something else":      {httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })).URL, ""},
	} {
		for _, args := range [][]string{{}, {"configmaps"}, {"configmaps/one"}} {
			t.Run(fmt.Sprint(name, args), func(t *testing.T) {
				t.Parallel()
				if name == "an endless list" && strings.Contains(fmt.Sprint(args), "/") {
					t.Skip("one object has no pages")
				}
				kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
				text := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"+
					"clusters: [{name: c, cluster: {server: %q}}]\nusers: [{name: u, user: {token: secret}}]\n", test.url)
				if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				all := append([]string{"--kubeconfig", kubeconfig, "--cache-dir", t.TempDir(), "-n", "shop"}, args...)
				if name == "a slow answer" {
					all = append(all, "--request-timeout", "1s")
				}
				var out, errs strings.Builder
				if code := Run(t.Context(), all, &out, &errs); code != 1 || !strings.Contains(errs.String(), test.want) {
					t.Errorf("exit code %d: %s%s", code, out.String(), errs.String())
				}
			})
		}
	}
}

// An answer has a time, also if no client asks for one.
func TestAnswersHaveATime(t *testing.T) {
	t.Parallel()
	if got := guarded(&rest.Config{}).Timeout; got != longestAnswer {
		t.Errorf("without a timeout: %s", got)
	}
	if got := guarded(&rest.Config{Timeout: time.Second}).Timeout; got != time.Second {
		t.Errorf("with a timeout: %s", got)
	}
}
