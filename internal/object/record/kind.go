package record

import (
	"encoding/json"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// MergedMaps returns the leaves of other managers that are maps and into which the server merges parts of the body with
// owners of their own. isOwned reports whether a field will have an owner.
func (s Snapshot) MergedMaps(body map[string]any, others *paths.Set, isOwned func(paths.Path) bool) *paths.Set {
	merged, reader := paths.NewSet(), projection.NewReader(body)
	paths.Walk(others.Leaves(), func(path paths.Path, _ bool) {
		value, _ := reader.Lookup(path)
		parts, isMap := value.(map[string]any)
		if id := paths.ID(path); !isMap || !strings.HasPrefix(s.Values[id], "{") && s.Kinds[id] != mapKind {
			return
		}
		for name := range parts {
			if isOwned(paths.Below(path, paths.Field(name))) {
				merged.Insert(path)
				return
			}
		}
	})
	return merged
}

// IsWhole returns a function that reports whether a field of other managers has a live value without parts:
// a scalar or a list. A field of which held has a part is a map.
func (s Snapshot) IsWhole(held *paths.Set) func(paths.Path) bool {
	return func(field paths.Path) bool {
		id := paths.ID(field)
		print, has := s.Values[id]
		return has && !strings.HasPrefix(print, "{") && s.Kinds[id] != mapKind && !ownership.HasNamedParts(held, field)
	}
}

// IsAbsent returns a function that reports whether a field of other managers has no live value: the snapshot contains
// neither its value nor, among the fields held, a part of it.
func (s Snapshot) IsAbsent(held *paths.Set) func(paths.Path) bool {
	return func(field paths.Path) bool {
		_, has := s.Values[paths.ID(field)]
		return !has && !ownership.HasParts(held, field)
	}
}

const mapKind = "map"

// kindsOf returns mapKind for each of leaves that is a map and whose fingerprint does not show that.
func kindsOf(live map[string]any, leaves *paths.Set, prints map[string]string) map[string]string {
	var kinds map[string]string
	object := projection.NewReader(live)
	paths.Walk(leaves, func(path paths.Path, _ bool) {
		id := paths.ID(path)
		if print, has := prints[id]; !has || json.Valid([]byte(print)) {
			return
		}
		if value, _ := object.Lookup(path); isMap(value) {
			if kinds == nil {
				kinds = map[string]string{}
			}
			kinds[id] = mapKind
		}
	})
	return kinds
}

func isMap(value any) bool {
	_, is := value.(map[string]any)
	return is
}
