package listing_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
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
	groupSnapshot := strings.NewReplacer("snapshot.", "groupsnapshot.", "/v1", "/v1beta2", "VolumeSnapshot", "VolumeGroupSnapshot").Replace(snapshot)
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
		"a group of snapshots":           {groupSnapshot + "status: {boundVolumeGroupSnapshotContentName: one}", map[string]string{"VolumeGroupSnapshotContent one": "Delete"}, []string{"VolumeGroupSnapshotContent one known"}},
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

// many are volumes that one LIST returns, and counts the requests.
type many struct {
	volumes
	refusesLists bool
	gets, lists  *atomic.Int32
}

func (m many) Get(ctx context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	m.gets.Add(1)
	return m.volumes.Get(ctx, id)
}

func (m many) List(ctx context.Context, query cluster.ListQuery) (cluster.Page, error) {
	m.lists.Add(1)
	if m.refusesLists {
		return cluster.Page{}, clustertest.Failing(cluster.ReasonForbidden)
	}
	var page cluster.Page
	for key := range m.live {
		kind, name, _ := strings.Cut(key, " ")
		if kind != query.Kind {
			continue
		}
		live, err := m.volumes.Get(ctx, manifest.Identity{Kind: kind, Name: name})
		if err != nil {
			return page, err
		}
		live.SetName(name)
		page.Objects = append(page.Objects, live)
	}
	return page, nil
}

// Every claim counts, however many there are. Many volumes are read by one LIST, if the user may list them.
func TestVolumesOfManyClaims(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		claims       int
		refusesLists bool
		want         string
	}{
		"a few": {listing.Fewest - 1, false, "19 GETs, 0 LISTs"}, "many": {600, false, "0 GETs, 1 LISTs"},
		"many that may not be listed": {600, true, "600 GETs, 1 LISTs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := many{volumes{live: map[string]string{}}, test.refusesLists, &atomic.Int32{}, &atomic.Int32{}}
			var claims []*unstructured.Unstructured
			last := ""
			for i := range test.claims {
				last = fmt.Sprintf("volume-%d", i)
				api.live["PersistentVolume "+last] = "Retain"
				claims = append(claims, &unstructured.Unstructured{Object: clustertest.Object(t, "apiVersion: v1\nkind: PersistentVolumeClaim\nspec: {volumeName: "+last+"}\n")})
			}
			api.live["PersistentVolume "+last] = "Delete"
			if found := listing.Volumes(t.Context(), api, claims); len(found) != 1 || found[0].ID.Name != last || !found[0].IsKnown {
				t.Errorf("%v", found)
			}
			if got := fmt.Sprintf("%d GETs, %d LISTs", api.gets.Load(), api.lists.Load()); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
