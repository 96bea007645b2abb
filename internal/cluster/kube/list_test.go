package kube

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

func TestList(t *testing.T) {
	t.Parallel()
	const page = `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","metadata":{"continue":"abc","remainingItemCount":7},` +
		`"items":[{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"web","namespace":"prod"}}]}`
	const query = "/pods?continue=more&fieldSelector=status.phase%3DRunning&labelSelector=app%3Dweb&limit="
	for name, test := range map[string]struct {
		query cluster.ListQuery
		want  string
	}{
		"a namespace":         {cluster.ListQuery{Namespace: "prod", Limit: 3}, "/api/v1/namespaces/prod" + query + "3"},
		"all namespaces":      {cluster.ListQuery{AllNamespaces: true}, "/api/v1" + query + "500"},
		"the default one":     {cluster.ListQuery{}, "/api/v1/namespaces/default" + query + "500"},
		"all, and not prod's": {cluster.ListQuery{Namespace: "prod", AllNamespaces: true}, "/api/v1" + query + "500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, requests := recordingServer(t, http.StatusOK, page)
			test.query.APIVersion, test.query.Kind, test.query.MetadataOnly = "v1", "Pod", true
			test.query.LabelSelector, test.query.FieldSelector, test.query.Continue = "app=web", "status.phase=Running", "more"
			got, err := client.List(t.Context(), test.query)
			if err != nil {
				t.Fatal(err)
			}
			if len(*requests) != 1 || (*requests)[0].URI != test.want {
				t.Errorf("sent are %v, want %s", *requests, test.want)
			}
			want := map[string]any{
				"apiVersion": "v1",
				"kind":       "Pod",
				"metadata":   map[string]any{"name": "web", "namespace": "prod"},
			}
			if diff := cmp.Diff(want, got.Objects[0].Object); diff != "" || len(got.Objects) != 1 || got.Continue != "abc" {
				t.Errorf("continue %q, objects (-want +got):\n%s", got.Continue, diff)
			}
		})
	}
}

// An error of a list has the server's words; a page of a list that the server has dropped is told from others.
func TestListFails(t *testing.T) {
	t.Parallel()
	for reason, code := range map[cluster.Reason]int{cluster.ReasonExpired: http.StatusGone, cluster.ReasonForbidden: http.StatusForbidden} {
		body := fmt.Sprintf(
			`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":"the server's words","code":%d}`,
			reason,
			code,
		)
		client, _ := recordingServer(t, code, body)
		_, err := client.List(t.Context(), cluster.ListQuery{APIVersion: "v1", Kind: "Pod", AllNamespaces: true})
		if cluster.ReasonOf(err) != reason || !strings.Contains(err.Error(), "Pod objects (v1): the server's words") {
			t.Errorf("the error is %v, want %s", err, reason)
		}
	}
}
