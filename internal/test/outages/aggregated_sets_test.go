package outages_test

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

const (
	taskDefinition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tasks.NS.example.com}\nspec:\n" +
		"  group: NS.example.com\n  scope: Namespaced\n  names: {kind: Task, plural: tasks, singular: task}\n  versions:\n" +
		"  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n"
	// task is one of the group that [stage.aggregate] serves, behind which is an object of the definition.
	task       = "apiVersion: NS.example.net/v1\nkind: Task\nmetadata: {name: one, namespace: NS, finalizers: [example.com/cleanup]}\n"
	taskTarget = "NS.example.com/v1 Task one"
	apiTarget  = "apiregistration.k8s.io/v1 APIService v1.NS.example.net"
)

// aggregate starts an API server that has the kinds of the group NS.example.com as those of NS.example.net, and that answers
// while it is not down. It returns the Service and the APIService through which the control plane reaches it.
func (s *stage) aggregate(isDown *atomic.Bool) map[string]string {
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
	s := newStage(t)
	s.InstallKind(taskDefinition)
	all := s.aggregate(new(atomic.Bool))
	all["task"] = task
	const impatient = "timeouts {\n    delete = \"20s\"\n  }"
	s.manifests(all, impatient)
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()
	uid := s.Live(taskTarget).GetUID()
	s.manifests(map[string]string{"server": all["server"], "task": all["task"]}, impatient)
	s.says(s.exits(story.Refused, "plan"), "Error: Object Still Needed", "The plan deletes APIService v1.NS.example.net", "Task NS/one (NS.example.net/v1)")
	s.says(s.exits(story.Refused, "destroy", "-auto-approve"), "Deletion Blocked", "Objects Kept: APIService v1.NS.example.net",
		"Task NS/one (NS.example.net/v1) is still there, and needs these objects", "APIService v1.NS.example.net (apiregistration.k8s.io/v1) is still there. Its controller or its server may be among these objects", "Service NS/server (v1)")
	if s.Live(taskTarget).GetUID() != uid {
		t.Error("the object is another one")
	}
	s.As("kubectl").JSONPatch(taskTarget, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	s.exits(story.Nothing, "destroy", "-auto-approve")
	for _, target := range []string{taskTarget, apiTarget, "v1 Service server"} {
		if !s.Gone(target) {
			t.Errorf("%s is there", target)
		}
	}
}

// An API server that starts after its registration is waited for. A set whose objects it has can repair it.
func TestSetWithAnAPIServiceThatStartsLater(t *testing.T) {
	s := newStage(t)
	s.InstallKind(taskDefinition)
	var isDown atomic.Bool
	isDown.Store(true)
	all := s.aggregate(&isDown)
	all["task"] = task
	all["part"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part, namespace: NS}\ndata: {a: broken}\n"
	s.manifests(all, "timeouts {\n    create = \"15s\"\n  }")
	s.says(s.exits(story.Refused, "apply", "-auto-approve"), "Dependency Still Missing", "Task NS/one (NS.example.net/v1)", "does not answer discovery",
		"kubectl get apiservice v1.NS.example.net")
	all["part"] = strings.Replace(all["part"], "broken", "repaired", 1)
	s.manifests(all, "")
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
	s.exits(story.Nothing, "apply", "-auto-approve")
	<-done
	s.settled()

	isDown.Store(true)
	s.Await("the API is not available", func() bool {
		_, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand("NS.example.net/v1"))
		return err != nil
	})
	time.Sleep(2 * time.Second)
	s.says(s.exits(story.Refused, "plan"), "Task NS/one (NS.example.net/v1) could not be read", "kubectl get apiservice v1.NS.example.net",
		"terraform apply -refresh=false")
	all["part"] = strings.Replace(all["part"], "repaired", "again", 1)
	s.manifests(all, "")
	s.exits(story.Nothing, "apply", "-auto-approve", "-refresh=false")
	isDown.Store(false)
	s.Await("the API is available", func() bool {
		_, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand("NS.example.net/v1"))
		return err == nil
	})
	s.As("kubectl").JSONPatch(taskTarget, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	s.exits(story.Nothing, "destroy", "-auto-approve")
}
