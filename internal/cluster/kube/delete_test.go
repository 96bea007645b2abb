package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func objectOf(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	return &unstructured.Unstructured{Object: clustertest.Object(t, text)}
}

const (
	service = `{apiVersion: v1, kind: Service, metadata: {name: s}}`

	unscheduledPod = `{apiVersion: v1, kind: Pod, metadata: {name: p,
		deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0}}`
	runningPod = `{apiVersion: v1, kind: Pod, metadata: {name: p,
		deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30}}`
	finalized = `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, finalizers: [example.com/a, example.com/b],
		deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0}}`
	crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c,
		finalizers: [customresourcecleanup.apiextensions.k8s.io], deletionTimestamp: "2026-01-01T00:00:00Z"}}`
	stuck = `{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, finalizers: [example.com/a], deletionTimestamp: "2026-01-01T00:00:00Z"},
		status: {conditions: [{type: Ready, status: "False", reason: Draining, message: "2 jobs run."}, {type: Synced, status: "True"},
		{type: A, status: Unknown}, {type: B, status: "True"}, {type: C, status: "True"}, {type: D, status: "True"}]}}`
	namespace = `{apiVersion: v1, kind: Namespace, metadata: {name: n, deletionTimestamp: "2026-01-01T00:00:00Z"},
		spec: {finalizers: [kubernetes]}, status: {phase: Terminating, conditions: [
		{type: NamespaceContentRemaining, status: "True", message: "Some resources are remaining: widgets.example.com has 1 resource instances"},
		{type: NamespaceDeletionContentFailure, status: "False", message: "All content successfully deleted"}]}}`
)

func TestIsGone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer string
		want   bool
	}{
		"a kind that is answered with what was removed":   {service, true},
		"a pod that no node runs":                         {unscheduledPod, true},
		"a pod that a node runs":                          {runningPod, false},
		"an object with finalizers":                       {finalized, false},
		"a CustomResourceDefinition that has objects":     {crd, false},
		"a namespace, which has finalizers in its spec":   {namespace, false},
		"a plain success, which carries no object at all": {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answer *unstructured.Unstructured
			if tc.answer != "" {
				answer = objectOf(t, tc.answer)
			}
			if got := isGone(answer); got != tc.want {
				t.Errorf("want %t, got %t", tc.want, got)
			}
		})
	}
}

const owned = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "finalizers": ["example.com/a", "example.com/b"], "managedFields": [
	{"manager": "operator", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:finalizers": {".": {}, "v:\"example.com/a\"": {}}}}},
	{"manager": "k8sconnect", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:finalizers": {"v:\"example.com/a\"": {}}}}}]}}`

func TestHeldBack(t *testing.T) {
	t.Parallel()
	const start = "the server accepted the deletion but has not removed the object in time"
	for name, tc := range map[string]struct{ last, want string }{
		"finalizers are named":           {finalized, start + ": it still has the finalizers example.com/a, example.com/b"},
		"who set a finalizer is named":   {owned, start + ": it still has the finalizers example.com/a (set by operator, k8sconnect), example.com/b"},
		"a grace period is named":        {runningPod, start + ": it has a grace period of 30 s"},
		"a namespace says what is in it": {namespace, start + ": NamespaceContentRemaining=True: Some resources are remaining: widgets.example.com has 1 resource instances"},
		"conditions are shown":           {stuck, start + ": it still has the finalizer example.com/a; Ready=False (Draining): 2 jobs run; Synced=True; A=Unknown; B=True; C=True; and 1 more"},
		"nothing is known":               {service, start},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 0)
			defer cancel()
			last := objectOf(t, tc.last)
			got := (&Client{}).deletionBlocked(ctx, manifest.IdentityOf(last), last)
			want := &cluster.Error{
				Reason:  cluster.ReasonDeletionBlocked,
				Object:  manifest.IdentityOf(last),
				Message: tc.want,
				Cause:   context.DeadlineExceeded,
			}
			if diff := cmp.Diff(want.Error(), got.Error()); diff != "" || cluster.ReasonOf(got) != want.Reason ||
				!errors.Is(got, want.Cause) {
				t.Errorf("error (-want +got):\n%s\n%v", diff, got)
			}
		})
	}
}

// TestAwaitDeletionWithoutAWatch is about servers that end or refuse the watch.
func TestAwaitDeletionWithoutAWatch(t *testing.T) {
	t.Parallel()
	const (
		expired   = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`
		forbidden = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`
		missing   = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","details":{"kind":"pods","name":"p"},"code":404}`
		present   = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"prod","uid":"u","resourceVersion":"9"}}`
		replaced  = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"prod","uid":"v","resourceVersion":"9"}}`
	)
	type answer struct {
		code int
		body string
	}
	for name, tc := range map[string]struct {
		watches, gets []answer
		want          cluster.Reason
	}{
		"the watch is too old and the object gone":      {[]answer{{410, expired}}, []answer{{404, missing}}, ""},
		"the watch ends with an expired event":          {[]answer{{200, `{"type":"ERROR","object":` + expired + `}`}}, []answer{{404, missing}}, ""},
		"the watch ends without a word, twice":          {[]answer{{200, ""}, {200, ""}}, []answer{{200, present}, {404, missing}}, ""},
		"watching is forbidden and the object replaced": {[]answer{{403, forbidden}}, []answer{{200, replaced}}, ""},
		"the watch shows an object that took the name":  {[]answer{{200, `{"type":"ADDED","object":` + replaced + `}`}}, nil, ""},
		"the object may be neither watched nor read":    {[]answer{{403, forbidden}}, []answer{{403, forbidden}}, cluster.ReasonForbidden},
		"the server is out of order for a moment":       {[]answer{{500, ""}}, []answer{{500, ""}, {404, missing}}, ""},
		"a 404 that names nothing is no end":            {[]answer{{404, ""}, {200, ""}}, []answer{{404, ""}, {404, missing}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next := func(answers *[]answer) answer {
				if len(*answers) == 0 {
					t.Error("one request too many")
					return answer{404, missing}
				}
				first := (*answers)[0]
				*answers = (*answers)[1:]
				return first
			}
			client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api" || r.URL.Path == "/apis" {
					serveDiscovery(w, r)
					return
				}
				answers := &tc.gets
				if r.URL.Query().Get("watch") != "" {
					answers = &tc.watches
				}
				given := next(answers)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(given.code)
				fmt.Fprint(w, given.body)
			}))
			synctest.Test(t, func(t *testing.T) {
				err := client.AwaitDeletion(t.Context(), objectOf(t, present))
				if got := cluster.ReasonOf(err); got != tc.want || (err != nil) != (tc.want != "") {
					t.Errorf("want reason %q, got %v", tc.want, err)
				}
			})
			if len(tc.watches)+len(tc.gets) > 0 {
				t.Errorf("requests that were not sent: %v, %v", tc.watches, tc.gets)
			}
		})
	}
}
