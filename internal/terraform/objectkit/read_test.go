package objectkit

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// clusterOf is a cluster with a uid. The uid is "" if the user may not read it.
type clusterOf struct {
	clustertest.Stub
	uid string
}

func (c clusterOf) UID(context.Context, manifest.Identity) (string, error) { return c.uid, nil }

// An object counts as the object of the state, or as gone, only on the cluster of the state.
func TestObserveOnAnotherCluster(t *testing.T) {
	t.Parallel()
	const uid = "u"
	provider, diags := providerdata.New(t.Context(), nil, providerdata.Settings{}, func(string) string { return "" })
	if diags.HasError() {
		t.Fatal(diags)
	}
	for name, tc := range map[string]struct {
		// remembered is the cluster of the snapshot, state the uid of the object in the state.
		remembered, state string
		cluster           string
		gone              bool
		// want is the cluster that is remembered then; elsewhere, hidden and isGone are errors.
		want                      string
		elsewhere, hidden, isGone bool
	}{
		"the same object": {remembered: "a", state: uid, cluster: "a", want: "a"},
		"the same object, on a cluster that nobody asked": {state: uid, cluster: "a", want: "a"},
		"the same object, by a user who may ask now":      {remembered: cluster.Unrecognizable, state: uid, cluster: "a", want: "a"},
		"the same object, by a user who may not ask":      {state: uid, want: cluster.Unrecognizable},
		"an object whose create got no answer":            {remembered: "a", cluster: "a", want: "a"},
		"one that has its name on another cluster":        {remembered: "a", cluster: "b", elsewhere: true},
		"another object, on another cluster":              {remembered: "a", state: "other", cluster: "b", elsewhere: true},
		"another object, by a user who may not ask":       {remembered: "a", state: "other", hidden: true},
		"no object":                                     {remembered: "a", state: uid, cluster: "a", gone: true, want: "a", isGone: true},
		"no object on another cluster":                  {remembered: "a", state: uid, cluster: "b", gone: true, elsewhere: true},
		"no object, by a user who may not ask":          {remembered: "a", state: uid, gone: true, hidden: true},
		"no object, and nobody was ever allowed to ask": {remembered: cluster.Unrecognizable, state: uid, gone: true, want: cluster.Unrecognizable, isGone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clusterOf{uid: tc.cluster}
			api.OnGet = func() (*unstructured.Unstructured, error) {
				if tc.gone {
					return nil, clustertest.Failing(cluster.ReasonNotFound)
				}
				return clustertest.Live(uid, "1", clustertest.Owning(clustertest.BothFields)), nil
			}
			r := &Objects{provider: provider}
			state := r.Model()
			state.SetObject(clustertest.ConfigMap, tc.state)
			state.FieldManager = provider.FieldManager()
			prior := record.Prior{Object: clustertest.ConfigMap, Snapshot: record.Snapshot{
				Object: clustertest.ConfigMap, Sighting: record.Sighting{UID: tc.state, Cluster: tc.remembered}, Creation: record.Creation{OutcomeUnknown: tc.state == ""},
			}}
			observed, err := r.observe(t.Context(), api, state, prior, nil)
			_, hidden := errors.AsType[*cluster.HiddenError](err)
			if isElsewhere(err) != tc.elsewhere || hidden != tc.hidden || cluster.IsGone(err) != tc.isGone {
				t.Fatalf("the error is %v", err)
			}
			if failed := tc.elsewhere || tc.hidden; !failed && observed.Snapshot.Cluster != tc.want {
				t.Errorf("remembers %q, want %q", observed.Snapshot.Cluster, tc.want)
			}
		})
	}
}
