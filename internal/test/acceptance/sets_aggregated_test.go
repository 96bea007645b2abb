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
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// aggregate starts an API server that has the kinds of the group NS.example.com as those of NS.example.net, and that answers
// while it is not down. It returns the Service and the APIService through which the control plane reaches it.
func aggregate(s *story.Story, isDown *atomic.Bool) map[string]string {
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
		if isDown.Load() {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
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
	s.T.Cleanup(func() {
		server.CloseClientConnections() // The garbage collector watches the kind.
		server.Close()
	})
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
	all := aggregate(s.Story, new(atomic.Bool))
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

// An API server that starts after its registration is waited for. A set whose objects it has can repair it.
func TestSetWithAnAPIServiceThatStartsLater(t *testing.T) {
	s := newSet(t)
	s.InstallKind(jobKind)
	var isDown atomic.Bool
	isDown.Store(true)
	all := aggregate(s.Story, &isDown)
	all["task"] = strings.Replace(task, "NS.example.com/v1", "NS.example.net/v1", 1)
	all["part"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part, namespace: NS}\ndata: {a: broken}\n"
	s.has(all, "timeouts {\n    create = \"5s\"\n  }")
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "Dependency Still Missing", "Task NS/one (NS.example.net/v1)", "does not answer discovery",
		"kubectl get apiservice v1.NS.example.net")
	all["part"] = strings.Replace(all["part"], "broken", "repaired", 1)
	s.has(all, "")
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer isDown.Store(false)
		for s.T.Context().Err() == nil {
			part, err := s.Typed.CoreV1().ConfigMaps(s.Namespace).Get(s.T.Context(), "part", metav1.GetOptions{})
			if time.Sleep(2 * time.Second); err == nil && part.Data["a"] == "repaired" {
				return
			}
		}
	}()
	s.Do("apply", "-auto-approve")
	<-done
	s.settled()

	isDown.Store(true)
	s.Await("the API is not available", func() bool {
		_, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand("NS.example.net/v1"))
		return err != nil
	})
	time.Sleep(2 * time.Second)
	s.expect(s.Exits(story.Refused, "plan"), "Task NS/one (NS.example.net/v1) could not be read", "kubectl get apiservice v1.NS.example.net")
	all["part"] = strings.Replace(all["part"], "repaired", "again", 1)
	s.has(all, "")
	s.Do("apply", "-auto-approve", "-refresh=false")
	isDown.Store(false)
	s.Await("the API is available", func() bool {
		_, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand("NS.example.net/v1"))
		return err == nil
	})
	s.As("kubectl").JSONPatch(taskTarget, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	s.Do("destroy", "-auto-approve")
}
