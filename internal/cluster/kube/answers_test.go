package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// stubServer answers discovery, and every other request with handler.
func stubServer(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	return clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api" || r.URL.Path == "/apis" {
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			groups := map[string]string{
				"/api": strings.ReplaceAll(coreGroup, `"verbs":["get"]`, `"verbs":["get","list","patch"]`),
			}
			fmt.Fprint(w, aggregated(groups[r.URL.Path]))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		handler(w, r)
	}))
}

// requestsFor are all requests for one object.
var requestsFor = map[string]func(context.Context, *Client) error{
	"GET": func(ctx context.Context, c *Client) error { _, err := c.Get(ctx, pod); return err },
	"PATCH": func(ctx context.Context, c *Client) error {
		_, err := c.Apply(
			ctx,
			pod,
			map[string]any{"metadata": map[string]any{"uid": "u"}},
			cluster.ApplyOptions{FieldManager: "m"},
		)
		return err
	},
	"PATCH, a dry-run": func(ctx context.Context, c *Client) error {
		_, err := c.Apply(ctx, pod, map[string]any{}, cluster.ApplyOptions{FieldManager: "m", DryRun: true})
		return err
	},
	"PATCH, an update": func(ctx context.Context, c *Client) error {
		_, err := c.Update(ctx, pod, cluster.Update{Type: types.MergePatchType, Body: []byte("{}"), UID: "u"})
		return err
	},
	"PATCH, an edit": func(ctx context.Context, c *Client) error { _, err := c.Patch(ctx, pod, cluster.Patch{}); return err },
	"PATCH, a trial": func(ctx context.Context, c *Client) error { _, err := c.TryMerge(ctx, pod, "m", nil); return err },
	"DELETE": func(ctx context.Context, c *Client) error {
		_, err := c.Delete(ctx, pod, cluster.Removal{UID: "u"})
		return err
	},
}

// An answer that is not the object that was asked for is an error, which shows no data of the answer.
func TestAnswersThatAreAnotherObject(t *testing.T) {
	t.Parallel()
	object := func(kind, metadata string) string {
		return `{"apiVersion":"v1","kind":"` + kind + `","metadata":` + metadata + `,"spec":{"password":"hunter2"}}`
	}
	for name, test := range map[string]struct {
		answer, says string
		// only is the request that the answer is wrong for; "" for all.
		only string
	}{
		"another name":      {object("Pod", `{"name":"other","namespace":"prod","uid":"u"}`), "it is Pod prod/other (v1)", ""},
		"another namespace": {object("Pod", `{"name":"web:1","namespace":"other","uid":"u"}`), "it is Pod other/web:1 (v1)", ""},
		"another kind":      {object("Secret", `{"name":"web:1","namespace":"prod","uid":"u"}`), "it is Secret prod/web:1 (v1)", ""},
		"another group":     {strings.Replace(object("Pod", `{"name":"web:1","uid":"u"}`), `"v1"`, `"x.org/v1"`, 1), "it is Pod web:1 (x.org/v1)", ""},
		"another uid":       {object("Pod", `{"name":"web:1","namespace":"prod","uid":"other"}`), "it is Pod prod/web:1 (v1) with the uid other, not u", "DELETE"},
		"a uid of a number": {object("Pod", `{"name":"web:1","namespace":"prod","uid":5}`), "it is Pod prod/web:1 (v1) without a uid", ""},
		"no uid":            {object("Pod", `{"name":"web:1","namespace":"prod"}`), "it is Pod prod/web:1 (v1) without a uid", ""},
		"no name":           {object("Pod", `{"uid":"u"}`), `it is Pod "" (v1)`, ""},
		"no metadata":       {object("Pod", `5`), "it is Pod (v1) without metadata", ""},
		"a list":            {`{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[` + podAnswer + `]}`, "it is a list, PodList (v1)", ""},
		"a long name":       {object("Pod", `{"name":"`+strings.Repeat("x", 5000)+`\u0007","uid":"u"}`), "it is Pod " + strings.Repeat("x", 100) + "... (v1)", ""},
		"control codes":     {object("Pod", `{"name":"\u001b[2J","uid":"u"}`), `it is Pod "\x1b[2J" (v1)`, ""},
	} {
		for request, do := range requestsFor {
			if test.only != "" && request != test.only {
				continue
			}
			t.Run(name+", "+request, func(t *testing.T) {
				t.Parallel()
				client := stubServer(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, test.answer) })
				err := do(t.Context(), client)
				method, _, _ := strings.Cut(request, ",")
				wrong, is := errors.AsType[*cluster.WrongAnswerError](err)
				if !is || cluster.ReasonOf(err) != cluster.ReasonWrongAnswer || wrong.Method != method ||
					strings.Contains(err.Error(), "hunter2") {
					t.Fatalf("got %v", err)
				}
				if !strings.HasPrefix(wrong.Server, "http://127.0.0.1:") || !strings.HasSuffix(err.Error(), test.says) {
					t.Errorf("got %v, want an error that says %q", err, test.says)
				}
			})
		}
	}
}

// What an API server computes has no uid, and cannot be applied.
func TestObjectsThatAreNotStored(t *testing.T) {
	t.Parallel()
	want := expected{id: pod, namespace: "prod"}
	object := &unstructured.Unstructured{
		Object: map[string]any{
			"apiVersion": "v1",
			"kind":       "Pod",
			"metadata":   map[string]any{"name": "web:1", "namespace": "prod"},
		},
	}
	if problem := want.problem(object); problem != "" {
		t.Error(problem)
	}
	if want.needsUID = true; want.problem(object) == "" {
		t.Error("a stored object without a uid is accepted")
	}
}

// A page of a list has objects of one kind.
func TestItemsOfAnotherKind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ page, says string }{
		"another list":  {`{"apiVersion":"v1","kind":"SecretList","metadata":{},"items":[{"metadata":{"name":"s","namespace":"prod","uid":"u"}}]}`, "a list with Secret prod/s (v1)"},
		"another kind":  {`{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","uid":"u"}}]}`, "a list with Secret s (v1)"},
		"no uid":        {`{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"metadata":{"name":"web"}}]}`, "a list with Pod web (v1) without a uid"},
		"no metadata":   {`{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{}]}`, "a list with Pod (v1) without metadata"},
		"the same kind": {`{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"metadata":{"name":"web","namespace":"prod","uid":"u"}}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := stubServer(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, test.page) })
			page, err := client.List(t.Context(), cluster.ListQuery{APIVersion: "v1", Kind: "Pod", Namespace: "prod"})
			switch {
			case test.says == "":
				if err != nil || len(page.Objects) != 1 {
					t.Errorf("got %v, %v", page, err)
				}
			case cluster.ReasonOf(err) != cluster.ReasonWrongAnswer || !strings.HasSuffix(err.Error(), test.says):
				t.Errorf("got %v, want an error that says %q", err, test.says)
			}
		})
	}
}

// A server that ignores field selectors sends events of other objects. They are not taken for the one that is followed.
func TestEventsOfOtherObjects(t *testing.T) {
	t.Parallel()
	event := func(name, uid, value string) string {
		return `{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"prod","uid":"` + uid +
			`","resourceVersion":"2"},"spec":{"value":"` + value + `"}}}`
	}
	client := stubServer(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, event("other", "o", "done"))
		fmt.Fprintln(w, event("web:1", "u", "mine"))
	})
	live := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web:1", "namespace": "prod", "uid": "u", "resourceVersion": "1"},
	}}
	var seen []string
	_, err := client.Follow(t.Context(), live, func(object *unstructured.Unstructured) bool {
		value, _, _ := unstructured.NestedString(object.Object, "spec", "value")
		seen = append(seen, object.GetName()+" "+value)
		return true
	})
	if err != nil || len(seen) != 1 || seen[0] != "web:1 mine" {
		t.Errorf("saw %q, %v", seen, err)
	}
}

// A redirect, an answer that is too large and a wait that is too long are told at once, and no request is repeated.
func TestAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	other := 0
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { other++ })
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		reason cluster.Reason
		says   string
	}{
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+"/x?token=hunter2", http.StatusTemporaryRedirect)
		}, cluster.ReasonRedirected, "answered with a redirect (HTTP 307) to " + elsewhere + ", and redirects are not followed"},
		"a login page": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/login", http.StatusFound)
		}, cluster.ReasonRedirected, "answered with a redirect (HTTP 302) to another path on the same host"},
		"a long wait": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		}, cluster.ReasonBusy, "is busy (HTTP 429) and asks to wait for an hour; "},
		"too much": {func(w http.ResponseWriter, _ *http.Request) {
			for range 17 << 4 {
				fmt.Fprint(w, strings.Repeat(" ", 1<<16))
			}
		}, cluster.ReasonWrongAnswer, "is larger than 16 MiB, the most that the provider reads"},
	} {
		for request, do := range requestsFor {
			t.Run(name+", "+request, func(t *testing.T) {
				t.Parallel()
				requests := 0
				client := stubServer(t, func(w http.ResponseWriter, r *http.Request) { requests++; test.answer(w, r) })
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				err := do(ctx, client)
				if cluster.ReasonOf(err) != test.reason || !strings.Contains(err.Error(), test.says) ||
					strings.Contains(err.Error(), "hunter2") ||
					requests != 1 {
					t.Errorf("%d requests, and %v, want an error that says %q", requests, err, test.says)
				}
				var failed *cluster.Error
				if errors.As(err, &failed) && failed.OutcomeUnknown != (test.reason == cluster.ReasonWrongAnswer) {
					t.Errorf("outcome unknown: %t", failed.OutcomeUnknown)
				}
			})
		}
	}
	t.Cleanup(func() {
		if other > 0 {
			t.Errorf("%d requests came to the other server", other)
		}
	})
}

// A watch that is redirected ends the wait with the redirect.
func TestRedirectedWatch(t *testing.T) {
	t.Parallel()
	client := stubServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "" {
			fmt.Fprint(w, podAnswer)
			return
		}
		http.Redirect(w, r, "https://elsewhere.example.com/", http.StatusFound)
	})
	live := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web:1", "namespace": "prod", "uid": "u", "deletionTimestamp": "2026-01-02T03:04:05Z"},
	}}
	_, followed := client.Follow(t.Context(), live, func(*unstructured.Unstructured) bool { return false })
	for name, err := range map[string]error{"follow": followed, "deletion": client.AwaitDeletion(t.Context(), live)} {
		if cluster.ReasonOf(err) != cluster.ReasonRedirected ||
			!strings.Contains(err.Error(), "to https://elsewhere.example.com") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Discovery says the same as other requests.
func TestDiscoveryThatIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		reason cluster.Reason
		says   string
	}{
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example.com/login", http.StatusFound)
		}, cluster.ReasonRedirected, "(HTTP 302) to https://elsewhere.example.com,"},
		"a long wait": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7200")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, cluster.ReasonBusy, "is busy (HTTP 503) and asks to wait for 2 hours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(t, serve(t, test.answer))
			_, err := client.Scope(t.Context(), "v1", "Pod")
			if cluster.ReasonOf(err) != test.reason || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want an error that says %q", err, test.says)
			}
		})
	}
}

// The protocol of the server, and a proxy that refuses, are told at once.
func TestServersBehindAnotherProtocol(t *testing.T) {
	t.Parallel()
	plain := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	for name, test := range map[string]struct {
		config connect.Config
		says   string
	}{
		"https to a plain port": {
			connect.Config{Host: strings.Replace(plain, "http://", "https://", 1), Token: "t"}, "the server answers in http, and the connection uses https",
		},
		"a proxy": {
			connect.Config{Host: "https://127.0.0.1:1", Token: "t", ProxyURL: plain}, "the proxy " + strings.TrimPrefix(plain, "http://") + " refused to connect: 404 Not Found",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := NewPool(connect.Options{}).Client(test.config)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			_, err = client.Get(t.Context(), manifest.Identity{APIVersion: "v1", Kind: "Pod", Name: "a"})
			if cluster.ReasonOf(err) != cluster.ReasonUnreachable || !strings.Contains(err.Error(), test.says) ||
				time.Since(began) > atFirst {
				t.Errorf("got %v after %s, want an error that says %q", err, time.Since(began), test.says)
			}
		})
	}
}
