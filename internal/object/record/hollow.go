package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// hollowIn returns the leaves of fields that may be maps and lists without a part of their owner, and the entries of
// those that known contains as a whole. They are the empty ones, those of which known contains parts, and maps with
// content: claims show such a map in the same way whether it is atomic or its owner has lost all that was in it.
func hollowIn(live map[string]any, fields, known *paths.Set) (hollow, content *paths.Set) {
	reader, content := projection.NewReader(live), paths.NewSet()
	hollow = paths.Filter(fields.Leaves(), func(leaf paths.Path) bool {
		value, _ := reader.Lookup(leaf)
		if projection.IsEmptyCollection(value) || ownership.HasParts(known, leaf) {
			return true
		}
		entries, isMap := value.(map[string]any)
		if !isMap || !known.Has(leaf) || leaf[len(leaf)-1].FieldName == nil {
			return false
		}
		for name := range entries {
			content.Insert(paths.Below(leaf, paths.Field(name)))
		}
		return true
	})
	return hollow, content
}

// withEntries returns claimed fields, with the entries of maps that a manager holds alone and that cannot be atomic.
func withEntries(live map[string]any, known *paths.Set) *paths.Set {
	reader, entries := projection.NewReader(live), paths.NewSet()
	paths.Walk(known.Leaves(), func(leaf paths.Path, _ bool) {
		if !isGranular(live, leaf) {
			return
		}
		value, _ := reader.Lookup(leaf)
		content, _ := value.(map[string]any)
		for name := range content {
			entries.Insert(paths.Below(leaf, paths.Field(name)))
		}
	})
	return known.Union(entries)
}

// isGranular reports whether a field is a map whose entries have owners of their own in any version of the API. A claim
// on such a map alone contains none of its entries.
func isGranular(live map[string]any, path paths.Path) bool {
	last := path[len(path)-1].FieldName
	switch {
	case last == nil:
		return false
	case len(path) == 1:
		isData := *last == "data" || *last == "binaryData"
		return isData && live["apiVersion"] == "v1" && (live["kind"] == "ConfigMap" || live["kind"] == "Secret")
	}
	above := path[len(path)-2].FieldName
	switch {
	case above == nil:
		return false
	case *above == "resources":
		version, _ := live["apiVersion"].(string)
		group := manifest.Identity{APIVersion: version}.Group()
		return manifest.IsBuiltinGroup(group) && (*last == "limits" || *last == "requests")
	}
	return *above == "metadata" && (*last == "labels" || *last == "annotations")
}
