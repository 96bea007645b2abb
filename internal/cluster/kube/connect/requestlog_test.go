//go:build unix

package connect

import (
	"errors"
	"net/http"
	"regexp"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
)

type playing func(*http.Request) (*http.Response, error)

func (a playing) RoundTrip(request *http.Request) (*http.Response, error) { return a(request) }

// Each attempt is a line. It has no query, no header and no body, because they may have secrets.
func TestRequestsAreLogged(t *testing.T) {
	t.Parallel()
	var logged []map[string]any
	ctx := Sending(klog.NewContext(t.Context(), logr.New(sink{&logged})), "Secret a/b (v1)")
	request, err := http.NewRequestWithContext(ctx, http.MethodPatch,
		"https://user:hunter2@server:6443/api/v1/namespaces/a/secrets/b?dryRun=All&fieldManager=hunter2", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer hunter2")
	results := []func(*http.Request) (*http.Response, error){
		func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") },
		func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, TLS: nil}, nil
		},
	}
	g := &guard{playing(func(r *http.Request) (*http.Response, error) {
		result := results[0]
		results = results[1:]
		return result(r)
	})}
	for range 2 {
		if response, err := g.RoundTrip(request); err == nil {
			_ = response.Body.Close()
		}
	}
	took := regexp.MustCompile(`[0-9]+ms`)
	for _, line := range logged {
		line["message"] = took.ReplaceAllString(line["message"].(string), "34ms")
	}
	line := func(message string) map[string]any {
		return map[string]any{"message": "PATCH Secret a/b (v1) " + message, "path": "/api/v1/namespaces/a/secrets/b", "server": "https://server:6443"}
	}
	want := []map[string]any{line("(dry-run) failed 34ms: connection refused"), line("(dry-run, attempt 2) 200 34ms")}
	if diff := cmp.Diff(want, logged); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}
