package testcluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// event returns one line of an audit log.
func event(id, stage, verb, uri, objectRef, code string) string {
	return `{"auditID":"` + id + `","stage":"` + stage + `","verb":"` + verb + `","requestURI":"` + uri +
		`","user":{"username":"alice"},"userAgent":"Terraform/1.11 k8sconnect","objectRef":` + objectRef +
		`,"responseStatus":{"code":` + code + `},"requestReceivedTimestamp":"2026-01-02T03:04:05.000006Z"}` + "\n"
}

const (
	webRef   = `{"resource":"deployments","namespace":"default","name":"web"}`
	scaleRef = `{"resource":"deployments","subresource":"scale","namespace":"default","name":"web"}`
)

func TestParseAuditJoinsTheEventsOfARequest(t *testing.T) {
	t.Parallel()
	get := event("1", "RequestReceived", "get", "/apis/apps/v1/namespaces/default/deployments/web", webRef, "0")
	got := event("1", "ResponseComplete", "get", "/apis/apps/v1/namespaces/default/deployments/web", webRef, "200")
	const applyURI = "/apis/apps/v1/namespaces/default/deployments/web?dryRun=All&fieldManager=k8sconnect"
	tests := map[string]struct {
		log  string
		want []string
	}{
		"an empty log has no requests": {},
		"a request and its answer are one request": {
			log: get + got, want: []string{"get deployments default/web 200"}},
		"a request without an answer has no code": {
			log: get, want: []string{"get deployments default/web 0"}},
		"an answer to a request before the mark is left out": {log: got},
		"a line that is still being written is left out": {
			log: get + got + strings.TrimSuffix(get, "\n"), want: []string{"get deployments default/web 200"}},
		"a dry-run is told by the query": {
			log: event("2", "RequestReceived", "patch", applyURI, webRef, "0") +
				event("2", "ResponseComplete", "patch", applyURI, webRef, "409"),
			want: []string{"patch deployments default/web dry-run 409"}},
		"a watch has its code when it begins": {
			log: event("3", "RequestReceived", "watch", "/api/v1/nodes?watch=true", `{"resource":"nodes"}`, "0") +
				event("3", "ResponseStarted", "watch", "/api/v1/nodes?watch=true", `{"resource":"nodes"}`, "200"),
			want: []string{"watch nodes 200"}},
		"requests keep the order in which they began": {
			log: get + event("4", "RequestReceived", "update", "/x/scale", scaleRef, "0") +
				event("4", "ResponseComplete", "update", "/x/scale", scaleRef, "200") + got,
			want: []string{"get deployments default/web 200", "update deployments/scale default/web 200"}},
		"a path without a resource shows itself": {
			log: event("5", "RequestReceived", "get", "/version?timeout=32s", "null", "0") +
				event("5", "ResponseComplete", "get", "/version?timeout=32s", "null", "200"),
			want: []string{"get /version 200"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := auditEvents{begun: map[string]int{}}
			if _, err := events.add(strings.NewReader(tt.log)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{}, tt.want...), Lines(events.requests)); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseAuditRefusesWhatIsNoEvent(t *testing.T) {
	t.Parallel()
	var events auditEvents
	if _, err := events.add(strings.NewReader("no JSON\n")); err == nil {
		t.Error("no error for a line that is not JSON")
	}
}

// A mark may be set while the server writes a line.
func TestReadFromTheMiddleOfALine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.log")
	log := event("1", "RequestReceived", "get", "/x", webRef, "0") + event("2", "RequestReceived", "list", "/x", webRef, "0")
	first := int64(strings.Index(log, "\n") + 1)
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	for offset, want := range map[int64]int{0: 2, 10: 1, first - 1: 1, first: 1, first + 3: 0, int64(len(log)): 0} {
		requests, err := newAuditLog(path).Tail(Position{offset: offset})()
		if err != nil || len(requests) != want {
			t.Errorf("from %d: %d requests, want %d: %v", offset, len(requests), want, err)
		}
	}
}

// Each call of a tail reads what is new, also the rest of a line that was cut, and answers of requests that it knows.
func TestTailGrows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.log")
	text := event("1", "RequestReceived", "get", "/a", webRef, "0") + event("1", "ResponseComplete", "get", "/a", webRef, "200") +
		event("2", "RequestReceived", "delete", "/a", webRef, "0")
	tail := newAuditLog(path).Tail(Position{})
	var found []Request
	for end := 0; ; end = min(end+100, len(text)) {
		if err := os.WriteFile(path, []byte(text[:end]), 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		if found, err = tail(); err != nil {
			t.Fatal(err)
		}
		if end == len(text) {
			break
		}
	}
	if diff := cmp.Diff([]string{"get deployments default/web 200", "delete deployments default/web 0"}, Lines(found)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestSinceReturnsWhatFollowsTheMark(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.log")
	before := event("1", "RequestReceived", "get", "/a", webRef, "0")
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	log := newAuditLog(path)
	mark := log.Mark()
	after := event("1", "ResponseComplete", "get", "/a", webRef, "200") +
		event("2", "RequestReceived", "delete", "/a", webRef, "0") +
		event("2", "ResponseComplete", "delete", "/a", webRef, "200")
	if err := os.WriteFile(path, []byte(before+after), 0o600); err != nil {
		t.Fatal(err)
	}
	requests, err := log.Since(mark)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"delete deployments default/web 200"}, Lines(requests)); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if _, err := newAuditLog(path + ".missing").Since(newAuditLog(path + ".missing").Mark()); err == nil {
		t.Error("no error for a log that is not there")
	}
}

func TestMatchingChoosesByEveryFilter(t *testing.T) {
	t.Parallel()
	requests := []Request{
		{Verb: "get", Resource: "configmaps", Namespace: "a", Name: "x", User: "alice", UserAgent: "Terraform/1", Code: 200},
		{Verb: "get", Resource: "configmaps", Namespace: "b", Name: "x", User: "alice", UserAgent: "Terraform/1", Code: 200},
		{Verb: "get", Resource: "secrets", Namespace: "a", Name: "x", User: "bob", UserAgent: "kubectl/1", Code: 200},
	}
	tests := map[string]struct {
		filters []Filter
		want    []string
	}{
		"no filter chooses all": {want: []string{
			"get configmaps a/x 200", "get configmaps b/x 200", "get secrets a/x 200"}},
		"an object in its namespace": {filters: []Filter{ByObject("a", "x")},
			want: []string{"get configmaps a/x 200", "get secrets a/x 200"}},
		"an object and a user agent": {filters: []Filter{ByObject("a", "x"), ByUserAgent("Terraform/")},
			want: []string{"get configmaps a/x 200"}},
		"a resource": {filters: []Filter{ByResource("secrets")}, want: []string{"get secrets a/x 200"}},
		"a user":     {filters: []Filter{ByUser("bob")}, want: []string{"get secrets a/x 200"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Lines(Matching(requests, tt.filters...))); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}
