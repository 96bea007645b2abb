package acceptance_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// aggregate starts an API server that has the kinds of the group NS.example.com as those of NS.example.net. It returns the
// Service and the APIService through which the control plane reaches it.
func aggregate(s *story.Story) map[string]string {
	s.T.Helper()
	config := story.ControlPlane().RESTConfig()
	behind, err := url.Parse(config.Host)
	story.Must(s.T, err)
	transport, err := rest.TransportFor(config)
	story.Must(s.T, err)
	own, backing := s.Expand("NS.example.net"), s.Expand("NS.example.com")
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.Transport = transport
	proxy.ModifyResponse = func(answer *http.Response) error {
		body, err := io.ReadAll(answer.Body)
		body = bytes.ReplaceAll(body, []byte(backing), []byte(own))
		answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		answer.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return err
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/apis/"+own) {
			http.NotFound(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		body = bytes.ReplaceAll(body, []byte(own), []byte(backing))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.URL.Path, r.URL.RawPath = strings.Replace(r.URL.Path, own, backing, 1), ""
		for name := range r.Header { // The transport has the user.
			if name != "Accept" && name != "Content-Type" {
				r.Header.Del(name)
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	s.T.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	story.Must(s.T, err)
	return map[string]string{
		"server": "apiVersion: v1\nkind: Service\nmetadata: {name: server, namespace: NS}\nspec: {type: ExternalName, externalName: localhost}\n",
		"api": fmt.Sprintf("apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.NS.example.net}\nspec: {group: NS.example.net, version: v1, "+
			"groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {name: server, namespace: NS, port: %s}}\n", at.Port()),
	}
}

// Objects behind an API service of the set are created after it, and are gone before it goes. As long as one cannot go, it
// stays, and so does one of which the set keeps objects.
func TestSetWithAnAPIService(t *testing.T) {
	s := newSet(t)
	s.InstallKind(jobKind)
	all := aggregate(s.Story)
	all["task"] = strings.Replace(task, "NS.example.com/v1", "NS.example.net/v1", 1)
	const impatient = "timeouts {\n    delete = \"3s\"\n  }"
	s.has(all, impatient)
	s.Do("apply", "-auto-approve")
	s.settled()
	uid := s.uid(taskTarget)
	s.has(map[string]string{"server": all["server"], "task": all["task"]}, impatient)
	s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "The plan deletes APIService v1.NS.example.net", "Task NS/one (NS.example.net/v1)")
	s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), "Deletion Blocked", "Objects Kept: APIService v1.NS.example.net",
		"Task NS/one (NS.example.net/v1) is still there, and needs these objects", "APIService v1.NS.example.net (apiregistration.k8s.io/v1) is still there. Its controller or its server may be among these objects", "Service NS/server (v1)")
	if s.uid(taskTarget) != uid {
		t.Error("the object is another one")
	}
	s.As("kubectl").JSONPatch(taskTarget, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	s.Do("destroy", "-auto-approve")
	s.gone(taskTarget, "apiregistration.k8s.io/v1 APIService v1.NS.example.net", "v1 Service server")
}
