package kube

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// maxDepth bounds the search for fields in schemas, which may contain themselves.
const maxDepth = 12

// consultSchema adds to an error about a body that does not fit the schema of its kind all fields that the
// schema does not have, each with what may have been meant, and the field that the server does not name. The
// schema is read for that, and where it cannot be, the server's words have to do.
func (c *Client) consultSchema(ctx context.Context, id manifest.Identity, body map[string]any, failed *cluster.Error) {
	if !isOfSchema(failed.SchemaMismatch) {
		return
	}
	kind := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	published, err := c.schemas(ctx, kind.GroupVersion())
	if err != nil {
		return
	}
	root := published.of(kind)
	if root == nil {
		return
	}
	search := fieldSearch{schemas: published, root: root}
	search.walk(root, body, "")
	if failed.SchemaMismatch.Field == "" {
		failed.SchemaMismatch.Field = search.unreadable
		return
	}
	failed.Undeclared = search.found
}

// fieldSearch looks for fields of a body that a schema does not have.
type fieldSearch struct {
	schemas schemas
	root    *spec.Schema
	found   []cluster.UndeclaredField
	// unreadable is the first value that has the right type, but cannot be parsed.
	unreadable string
}

// walk compares a value with its schema; path is the text of where it stands.
func (f *fieldSearch) walk(at *spec.Schema, value any, path string) {
	if at == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedKeys(value) {
			if _, declared := at.Properties[name]; !declared && isClosed(at) {
				f.found = append(f.found, cluster.UndeclaredField{Path: below(path, name), Nearest: f.nearest(at, path, name)})
				continue
			}
			f.walk(f.schemas.member(at, name), value[name], below(path, name))
		}
	case []any:
		for i, item := range value {
			f.walk(f.schemas.item(at), item, fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		if f.unreadable == "" && !f.isReadable(at, value) {
			f.unreadable = path
		}
	}
}

// isReadable reports whether the server can make a whole number, bytes or a quantity of a value.
func (f *fieldSearch) isReadable(at *spec.Schema, value any) bool {
	switch value := value.(type) {
	case float64:
		return !at.Type.Contains("integer") || value == math.Trunc(value)
	case string:
		if at.Format == "byte" {
			_, err := base64.StdEncoding.DecodeString(value)
			return err == nil
		}
		if at == f.schemas["io.k8s.apimachinery.pkg.api.resource.Quantity"] {
			_, err := quantity.ParseQuantity(value)
			return err == nil
		}
	}
	return true
}

// nearest returns the paths of the fields that may have been meant: those with a similar name at the same place,
// else those with the same name elsewhere, outside of status.
func (f *fieldSearch) nearest(at *spec.Schema, path, name string) []string {
	var similar []suggestion
	for _, other := range sortedKeys(at.Properties) {
		if distance := paths.Distance(strings.ToLower(name), strings.ToLower(other)); paths.IsSimilar(name, distance) {
			similar = append(similar, suggestion{distance: distance, text: below(path, other)})
		}
	}
	if len(similar) == 0 {
		similar = f.elsewhere(name)
	}
	slices.SortStableFunc(similar, func(a, b suggestion) int { return cmp.Compare(a.distance, b.distance) })
	var texts []string
	for _, field := range similar[:min(len(similar), maxNearest)] {
		texts = append(texts, field.text)
	}
	return texts
}

// elsewhere returns the fields of this name in the whole kind, those that lie least deep.
func (f *fieldSearch) elsewhere(name string) []suggestion {
	type place struct {
		schema *spec.Schema
		path   string
	}
	var found []suggestion
	level := []place{{f.root, ""}}
	// A schema that contains itself is looked at where it lies least deep.
	seen := map[*spec.Schema]struct{}{}
	for depth := 0; depth < maxDepth && len(found) == 0; depth++ {
		var next []place
		for _, at := range level {
			for _, other := range sortedKeys(at.schema.Properties) {
				path := below(at.path, other)
				if path == "metadata" || path == "status" {
					continue
				}
				if other == name {
					found = append(found, suggestion{distance: depth, text: path})
				}
				member := f.schemas.member(at.schema, other)
				if member != nil && f.schemas.item(member) != nil {
					member, path = f.schemas.item(member), path+"[*]"
				}
				if _, again := seen[member]; member != nil && !again {
					next = append(next, place{member, path})
				}
			}
		}
		for _, at := range next {
			seen[at.schema] = struct{}{}
		}
		level = next
	}
	return found
}

// below returns the path of a field.
func below(path, name string) string {
	switch {
	case strings.ContainsAny(name, `.[]"`):
		return fmt.Sprintf("%s[%q]", path, name)
	case path == "":
		return name
	default:
		return path + "." + name
	}
}
