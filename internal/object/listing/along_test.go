package listing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// volumes answers with the objects by kind and name.
type volumes struct {
	clustertest.Stub
	live map[string]string
}

func (v volumes) Get(_ context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	text, is := v.live[id.Kind+" "+id.Name]
	switch {
	case !is:
		return nil, clustertest.Failing(cluster.ReasonNotFound)
	case text == "":
		return nil, clustertest.Failing(cluster.ReasonForbidden)
	}
	return &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"persistentVolumeReclaimPolicy": text, "deletionPolicy": text,
	}}}, nil
}

func TestVolumes(t *testing.T) {
	t.Parallel()
	const claim, snapshot = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\n",
		"apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: data, namespace: shop}\n"
	for name, test := range map[string]struct {
		claim string
		live  map[string]string
		want  []string
	}{
		"a volume that is deleted":       {claim + "spec: {volumeName: one}", map[string]string{"PersistentVolume one": "Delete"}, []string{"PersistentVolume one known"}},
		"a volume that is wiped":         {claim + "spec: {volumeName: one}", map[string]string{"PersistentVolume one": "Recycle"}, []string{"PersistentVolume one known"}},
		"a volume that stays":            {claim + "spec: {volumeName: one}", map[string]string{"PersistentVolume one": "Retain"}, nil},
		"a volume that is hidden":        {claim + "spec: {volumeName: one}", map[string]string{"PersistentVolume one": ""}, []string{"PersistentVolume one"}},
		"a volume that is gone":          {claim + "spec: {volumeName: one}", nil, nil},
		"a claim without a volume":       {claim + "spec: {}", nil, nil},
		"a snapshot that is deleted":     {snapshot + "status: {boundVolumeSnapshotContentName: one}", map[string]string{"VolumeSnapshotContent one": "Delete"}, []string{"VolumeSnapshotContent one known"}},
		"a snapshot whose content stays": {snapshot + "status: {boundVolumeSnapshotContentName: one}", map[string]string{"VolumeSnapshotContent one": "Retain"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := &unstructured.Unstructured{Object: clustertest.Object(t, test.claim)}
			var got []string
			for _, v := range listing.Volumes(t.Context(), volumes{live: test.live}, []*unstructured.Unstructured{object}) {
				text := v.ID.Kind + " " + v.ID.Name
				if v.IsKnown {
					text += " known"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("volumes (-want +got):\n%s", diff)
			}
		})
	}
}

// Every claim counts, however many there are.
func TestVolumesOfManyClaims(t *testing.T) {
	t.Parallel()
	var claims []*unstructured.Unstructured
	live := map[string]string{}
	for i := range 600 {
		name := fmt.Sprintf("volume-%d", i)
		live["PersistentVolume "+name] = "Retain"
		claims = append(claims, &unstructured.Unstructured{Object: clustertest.Object(t, "apiVersion: v1\nkind: PersistentVolumeClaim\nspec: {volumeName: "+name+"}\n")})
	}
	live["PersistentVolume volume-599"] = "Delete"
	if found := listing.Volumes(t.Context(), volumes{live: live}, claims); len(found) != 1 || found[0].ID.Name != "volume-599" {
		t.Errorf("%v", found)
	}
}
