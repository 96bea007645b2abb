package record_test

import (
	"context"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// serving is a cluster that serves every version of a kind.
type serving struct{ clustertest.Stub }

func (serving) Kind(context.Context, string, string) (cluster.Kind, error) {
	return cluster.Kind{}, nil
}

// A server that cannot convert a served version forgets all owners with a write: one dry-run finds that out, and the
// write converts the entries.
func TestConvertible(t *testing.T) {
	t.Parallel()
	id := manifest.Identity{APIVersion: "a.example.com/v1", Kind: "Fleet", Namespace: "shop", Name: "web"}
	own, theirs := clustertest.Owning(clustertest.BothFields)[0], clustertest.Updating("eve", `{"f:data":{"f:c":{}}}`)
	own.APIVersion, theirs.APIVersion = "a.example.com/v1", "a.example.com/v1alpha1"
	live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{own, theirs})
	live.SetAPIVersion(id.APIVersion)
	writes := 0
	api := serving{clustertest.Stub{
		OnPatch: func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
			writes++
			if slices.ContainsFunc(entries, func(e metav1.ManagedFieldsEntry) bool { return e.APIVersion != id.APIVersion }) {
				entries = nil
			}
			return clustertest.Live("u", "2", entries), nil
		},
	}}
	after, err := record.Disclaim(t.Context(), api, id, live, "k8sconnect")
	if err != nil {
		t.Fatal(err)
	}
	if entries := after.GetManagedFields(); len(entries) != 1 || entries[0].Manager != "eve" || writes != 2 {
		t.Errorf("%d writes left %+v", writes, entries)
	}
}
