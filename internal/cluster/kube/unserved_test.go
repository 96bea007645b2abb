package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	widgets = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1beta1","freshness":"Current","resources":[
		{"resource":"widgets","responseKind":{"group":"example.com","version":"v1beta1","kind":"Widget"},"scope":"Cluster","verbs":["get"]}]}]}`
	newerWidgets = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1","freshness":"Current","resources":[
		{"resource":"widgets","responseKind":{"group":"example.com","version":"v1","kind":"Widget"},"scope":"Cluster","verbs":["get"]}]}]}`
	staleWidgets = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1beta1","freshness":"Stale"}]}`
	staleNewer   = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1","freshness":"Stale"}]}`
	widgetList   = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1beta1","resources":[
		{"name":"widgets","singularName":"widget","namespaced":false,"kind":"Widget","verbs":["get"]}]}`
	notFoundPage = "404 page not found\n"
)

// reply is an answer of a test server.
type reply struct {
	code int
	body string
}

func (r reply) write(w http.ResponseWriter, contentType string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(r.code)
	fmt.Fprint(w, r.body)
}

// A plain 404 takes an object out of the state only where discovery, asked again, says that nothing serves
// its kind any more.
func TestPlain404IsConfirmed(t *testing.T) {
	t.Parallel()
	widget := manifest.Identity{APIVersion: "example.com/v1beta1", Kind: "Widget", Name: "w"}
	for name, tc := range map[string]struct {
		// groups and list are what /apis and the version's own list say once the object's path was asked for.
		groups, list reply
		reason       cluster.Reason
		gone         bool
		servedIn     []string
	}{
		"the kind is gone": {
			groups: reply{200, aggregated("")}, list: reply{404, notFoundPage},
			reason: cluster.ReasonKindNotServed, gone: true,
		},
		"the kind is gone and others of its version are not": {
			groups: reply{200, aggregated("")},
			list:   reply{200, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1beta1","resources":[]}`},
			reason: cluster.ReasonKindNotServed, gone: true,
		},
		"a load balancer knows nothing of the object":          {groups: reply{200, aggregated(widgets)}, reason: cluster.ReasonServer},
		"a load balancer knows nothing at all":                 {groups: reply{404, notFoundPage}, reason: cluster.ReasonServer},
		"the aggregated API server of a newer version is down": {groups: reply{200, aggregated(staleNewer)}, reason: cluster.ReasonServer},
		"the aggregated API server is down":                    {groups: reply{200, aggregated(staleWidgets)}, reason: cluster.ReasonServer},
		"the API server has just been started":                 {groups: reply{200, aggregated("")}, list: reply{503, "starting"}, reason: cluster.ReasonServer},
		"discovery is behind":                                  {groups: reply{200, aggregated("")}, list: reply{200, widgetList}, reason: cluster.ReasonServer},
		"the credentials have expired":                         {groups: reply{401, ""}, reason: cluster.ReasonUnauthorized},
		"discovery is forbidden":                               {groups: reply{403, ""}, reason: cluster.ReasonForbidden},
		"the kind is served in another version and only there": {
			groups: reply{200, aggregated(newerWidgets)}, reason: cluster.ReasonKindNotServed, servedIn: []string{"example.com/v1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := turning(t, map[string]reply{"/apis": tc.groups, "/apis/example.com/v1beta1": tc.list})
			synctest.Test(t, func(t *testing.T) {
				// That is enough time for one reload and for a kind that discovery lists too long, but not for an
				// outage.
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				_, err := client.Get(ctx, widget)
				mustReason(t, err, tc.reason)
				if cluster.IsGone(err) != tc.gone {
					t.Errorf("gone: want %t of %v", tc.gone, err)
				}
				failed := failure(t, err)
				var servedIn []string
				if unserved, is := errors.AsType[*cluster.KindNotServedError](failed.Details); is {
					servedIn = unserved.ServedIn
				}
				if diff := cmp.Diff(tc.servedIn, servedIn); diff != "" || failed.Object != widget {
					t.Errorf("object %s, served in (-want +got):\n%s", failed.Object, diff)
				}
			})
		})
	}
}

// A plain 404 of a deletion or of an edit is confirmed in the same way.
func TestPlain404OfAWriteIsConfirmed(t *testing.T) {
	t.Parallel()
	widget := manifest.Identity{APIVersion: "example.com/v1beta1", Kind: "Widget", Name: "w"}
	writes := map[string]func(context.Context, *Client) error{
		"a deletion": func(ctx context.Context, client *Client) error {
			_, err := client.Delete(ctx, widget, cluster.Removal{UID: "u", Propagation: cluster.Background})
			return err
		},
		"an edit": func(ctx context.Context, client *Client) error {
			_, err := client.Patch(ctx, widget, cluster.Patch{FieldManager: "k8sconnect", ResourceVersion: "1"})
			return err
		},
	}
	for name, write := range writes {
		for answer, tc := range map[string]struct {
			groups reply
			gone   bool
		}{
			"the kind is gone": {reply{200, aggregated("")}, true},
			"a load balancer knows nothing of the object": {reply{200, aggregated(widgets)}, false},
		} {
			t.Run(name+", "+answer, func(t *testing.T) {
				t.Parallel()
				client := turning(t, map[string]reply{"/apis": tc.groups, "/apis/example.com/v1beta1": {404, notFoundPage}})
				synctest.Test(t, func(t *testing.T) {
					err := write(t.Context(), client)
					if err == nil || cluster.IsGone(err) != tc.gone {
						t.Errorf("gone: want %t of %v", tc.gone, err)
					}
				})
			})
		}
	}
}

// turning returns a client of a server that has pods and widgets until the first request for an object. The server
// answers that with a plain 404, and from then on replies as later says; paths that later leaves out do not change.
func turning(t *testing.T, later map[string]reply) *Client {
	t.Helper()
	var turned atomic.Bool
	return clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		reply, isSet := later[r.URL.Path]
		switch {
		case r.URL.Path == "/api":
			serveDiscovery(w, r)
		case r.URL.Path == "/apis" && !turned.Load():
			w.Header().Set("Content-Type", aggregatedType)
			fmt.Fprint(w, aggregated(widgets))
		case r.URL.Path == "/apis":
			reply.write(w, aggregatedType)
		case isSet:
			reply.write(w, "application/json")
		default:
			turned.Store(true)
			http.Error(w, notFoundPage, http.StatusNotFound)
		}
	}))
}

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// A kind that discovery never had is confirmed too: the first load of a process may be of an API server
// that has just been started.
func TestMissingKindIsConfirmed(t *testing.T) {
	t.Parallel()
	widget := manifest.Identity{APIVersion: "example.com/v1", Kind: "Widget", Name: "w"}
	for name, tc := range map[string]struct {
		list   reply
		reason cluster.Reason
	}{
		"the list of the version is missing too":     {reply{404, notFoundPage}, cluster.ReasonKindNotServed},
		"the server is not ready to speak of it yet": {reply{503, "the request has been made before all known HTTP paths have been installed, please retry"}, cluster.ReasonServer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				paths = append(paths, r.URL.Path)
				if r.URL.Path == "/api" || r.URL.Path == "/apis" {
					serveDiscovery(w, r)
					return
				}
				tc.list.write(w, "text/plain")
			}))
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, err := client.Get(ctx, widget)
				mustReason(t, err, tc.reason)
			})
			slices.Sort(paths)
			paths = slices.Compact(paths)
			if diff := cmp.Diff([]string{"/api", "/apis", "/apis/example.com/v1"}, paths); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}
