package listing

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// mostAlong is how many objects of a kind are listed that would go with its definition.
const mostAlong = 500

// Along returns the objects that the API server deletes along with another one: with a CustomResourceDefinition all
// objects of its kind, by one LIST of at most 500, and with a namespace the objects in it, by a LIST for each kind,
// without those that controllers made. definition is the manifest of a definition. now is the time from which the ages
// of objects are computed. isAll is false if there are more.
func Along(
	ctx context.Context, api cluster.Interface, with manifest.Identity, definition map[string]any, now time.Time,
) (objects []Object, isAll bool, err error) {
	switch {
	case with.IsNamespace():
		found, err := Query{Namespace: with.Name, Now: now}.Find(ctx, api)
		return found.Objects, len(found.Problems) == 0, err
	case with.IsDefinition():
		kind := definedKind(definition)
		if kind.APIVersion == "" {
			return nil, true, nil
		}
		query := cluster.ListQuery{APIVersion: kind.APIVersion, Kind: kind.Kind, MetadataOnly: true}
		selected, err := OfKind(ctx, api, query, cluster.Selection{Limit: mostAlong})
		if cluster.ReasonOf(err) == cluster.ReasonKindNotServed {
			return nil, true, nil
		}
		objects, unreadable := Query{Now: now}.described(selected.Objects)
		if err == nil {
			err = unreadable
		}
		return objects, !selected.Truncated, err
	}
	return nil, true, nil
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
