package listing

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Along returns the objects that the API server deletes along with another one: with a CustomResourceDefinition all
// objects of its kind, and with a namespace the objects in it, by a LIST for each kind, without those that controllers
// made. definition is the manifest of a definition. now is the time from which the ages of objects are computed.
// problem is why there may be more; nil if the list is whole.
func Along(
	ctx context.Context, api cluster.Interface, with manifest.Identity, definition map[string]any, now time.Time,
) (objects []Object, problem, err error) {
	switch {
	case with.IsNamespace():
		found, err := Query{Namespace: with.Name, Now: now}.Find(ctx, api)
		if len(found.Problems) > 0 {
			problem = found.Problems[0].Err
		}
		return found.Objects, problem, err
	case with.IsDefinition():
		kind := definedKind(definition)
		if kind.APIVersion == "" {
			return nil, nil, nil
		}
		query := cluster.ListQuery{APIVersion: kind.APIVersion, Kind: kind.Kind, MetadataOnly: true}
		selected, err := OfKind(ctx, api, query, cluster.Selection{})
		if cluster.ReasonOf(err) == cluster.ReasonKindNotServed {
			return nil, nil, nil
		}
		objects, unreadable := Query{Now: now}.described(selected.Objects)
		if err == nil {
			err = unreadable
		}
		return objects, nil, err
	}
	return nil, nil, nil
}

// definedKind returns the kind of a CustomResourceDefinition in a version that is served; zero without one.
func definedKind(definition map[string]any) cluster.ServedKind {
	group, _, _ := unstructured.NestedString(definition, "spec", "group")
	kind, _, _ := unstructured.NestedString(definition, "spec", "names", "kind")
	versions, _, _ := unstructured.NestedSlice(definition, "spec", "versions")
	for _, version := range versions {
		version, _ := version.(map[string]any)
		name, _ := version["name"].(string)
		if served, _ := version["served"].(bool); served && group != "" && name != "" {
			return cluster.ServedKind{APIVersion: group + "/" + name, Kind: kind}
		}
	}
	return cluster.ServedKind{}
}

// retain is the policy of a volume that stays without its claim.
const retain = "Retain"

// storage is how the objects of a kind hold data: in a cluster-scoped object of the same API version, whose policy
// decides what becomes of the data when they are deleted.
type storage struct {
	kind string
	// name and policy are fields: of the object with the name of the volume, and of the volume.
	name, policy []string
}

var storages = map[schema.GroupKind]storage{
	{Kind: "PersistentVolumeClaim"}: {
		"PersistentVolume", []string{"spec", "volumeName"}, []string{"spec", "persistentVolumeReclaimPolicy"},
	},
	{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}: {
		"VolumeSnapshotContent", []string{"status", "boundVolumeSnapshotContentName"},
		[]string{"spec", "deletionPolicy"},
	},
	{Group: "groupsnapshot.storage.k8s.io", Kind: "VolumeGroupSnapshot"}: {
		"VolumeGroupSnapshotContent", []string{"status", "boundVolumeGroupSnapshotContentName"},
		[]string{"spec", "deletionPolicy"},
	},
}

func storageOf(id manifest.Identity) (storage, bool) {
	found, is := storages[schema.GroupKind{Group: id.Group(), Kind: id.Kind}]
	return found, is
}

// HoldsData reports whether the deletion of an object may delete stored data with it, a volume for instance.
func HoldsData(id manifest.Identity) bool {
	_, is := storageOf(id)
	return is
}

// OwnsClaims reports whether PersistentVolumeClaims may be deleted with an object: those in a namespace, and by owner
// references those of a StatefulSet or a custom resource.
func OwnsClaims(id manifest.Identity) bool {
	return id.IsNamespace() || id.Group() == "apps" && id.Kind == "StatefulSet" ||
		id.Namespace != "" && !manifest.IsBuiltinGroup(id.Group())
}

// DropsClaims reports whether the claims of pods are deleted with them when an object gets fewer replicas.
func DropsClaims(object *unstructured.Unstructured) bool {
	id := manifest.IdentityOf(object)
	policy, _, _ := unstructured.NestedString(object.Object,
		"spec", "persistentVolumeClaimRetentionPolicy", "whenScaled")
	return id.Group() == "apps" && id.Kind == "StatefulSet" && policy == "Delete"
}

// LostPods returns what reports whether a claim is of a pod that a StatefulSet loses by a change; nil if it loses none.
func LostPods(before, after *unstructured.Unstructured) func(claim *unstructured.Unstructured) bool {
	start, end := podsOf(before)
	first, last := podsOf(after)
	if start >= first && end <= last {
		return nil
	}
	templates, _, _ := unstructured.NestedSlice(before.Object, "spec", "volumeClaimTemplates")
	return func(claim *unstructured.Unstructured) bool {
		return slices.ContainsFunc(templates, func(template any) bool {
			of, _ := template.(map[string]any)
			name, _, _ := unstructured.NestedString(of, "metadata", "name")
			text, is := strings.CutPrefix(claim.GetName(), name+"-"+before.GetName()+"-")
			ordinal, err := strconv.ParseInt(text, 10, 64)
			isPod, stays := ordinal >= start && ordinal < end, ordinal >= first && ordinal < last
			return is && err == nil && isPod && !stays
		})
	}
}

// podsOf returns the ordinal of the first pod of a StatefulSet, and the one after the last.
func podsOf(set *unstructured.Unstructured) (start, end int64) {
	start, _, _ = unstructured.NestedInt64(set.Object, "spec", "ordinals", "start")
	replicas, has, _ := unstructured.NestedInt64(set.Object, "spec", "replicas")
	if !has {
		replicas = 1
	}
	return start, start + replicas
}

// Claims returns the PersistentVolumeClaims of a namespace: one LIST for each 500.
func Claims(ctx context.Context, api cluster.Interface, namespace string) []*unstructured.Unstructured {
	query := cluster.ListQuery{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: namespace}
	selected, err := cluster.ListAll(ctx, api, query, cluster.Selection{})
	if err != nil {
		return nil
	}
	return selected.Objects
}

// HangsOn reports whether the garbage collector deletes an object when the object with a uid is gone.
func HangsOn(object metav1.Object, uid string) bool {
	for _, owner := range object.GetOwnerReferences() {
		if string(owner.UID) != uid {
			return false
		}
	}
	return len(object.GetOwnerReferences()) > 0
}

// Volume is a volume whose data is deleted with its claim.
type Volume struct {
	Claim, ID manifest.Identity
	// Policy is the field with the reclaim policy, and IsKnown is false if the volume could not be read.
	Policy  []string
	IsKnown bool
}

// Volumes returns the volumes that are not kept when their claims are deleted. It costs what [ReadTogether] of them
// costs, and one GET for each that this leaves.
func Volumes(ctx context.Context, api cluster.Interface, claims []*unstructured.Unstructured) []Volume {
	var volumes []Volume
	var ids []manifest.Identity
	for _, claim := range claims {
		v := Volume{Claim: manifest.IdentityOf(claim)}
		holds, _ := storageOf(v.Claim)
		name, _, _ := unstructured.NestedString(claim.Object, holds.name...)
		v.ID, v.Policy = manifest.Identity{APIVersion: v.Claim.APIVersion, Kind: holds.kind, Name: name}, holds.policy
		if name != "" {
			volumes, ids = append(volumes, v), append(ids, v.ID)
		}
	}
	together := ReadTogether(ctx, api, ids)
	return slices.Concat(InOrder(volumes, func(v Volume) []Volume {
		live, err := together[v.ID], error(nil)
		if live == nil {
			live, err = api.Get(ctx, v.ID)
		}
		if cluster.IsGone(err) {
			return nil
		}
		if err == nil {
			policy, _, _ := unstructured.NestedString(live.Object, v.Policy...)
			if v.IsKnown = true; policy == retain {
				return nil
			}
		}
		return []Volume{v}
	})...)
}
