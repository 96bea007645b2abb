package validation_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// published is a schema as a server publishes it.
type published struct {
	Ref                  string                `json:"$ref"`
	Type                 string                `json:"type"`
	Format               string                `json:"format"`
	Required             []string              `json:"required"`
	Enum                 []any                 `json:"enum"`
	Properties           map[string]*published `json:"properties"`
	Items                *published            `json:"items"`
	AdditionalProperties json.RawMessage       `json:"additionalProperties"`
	AllOf                []*published          `json:"allOf"`
	OneOf                []*published          `json:"oneOf"`
	Default              any                   `json:"default"`
	Keeps                bool                  `json:"x-kubernetes-preserve-unknown-fields"`
	IsEither             bool                  `json:"x-kubernetes-int-or-string"`
	// Kinds are those of an object.
	Kinds []schema.GroupVersionKind `json:"x-kubernetes-group-version-kind"`

	name   string
	values *published
}

// kind returns the kind of an object; false for another schema.
func (p *published) kind() (schema.GroupVersionKind, bool) {
	if len(p.Kinds) != 1 {
		return schema.GroupVersionKind{}, false
	}
	return p.Kinds[0], true
}

// definitions are the schemas of a group version, by name.
type definitions map[string]*published

func definitionsOf(s *story.Story, folder openapi.Folder, file string) definitions {
	s.T.Helper()
	text, err := os.ReadFile(filepath.Join(string(folder), file))
	story.Must(s.T, err)
	var document struct {
		Components struct{ Schemas definitions }
	}
	story.Must(s.T, json.Unmarshal(text, &document))
	for name, one := range document.Components.Schemas {
		one.name = name
	}
	return document.Components.Schemas
}

func (d definitions) resolve(at *published) *published {
	for at != nil {
		switch {
		case at.Ref != "":
			at = d[strings.TrimPrefix(at.Ref, "#/components/schemas/")]
		case len(at.AllOf) == 1:
			at = at.AllOf[0]
		default:
			if at.values == nil && len(at.AdditionalProperties) > 5 {
				at.values = &published{}
				_ = json.Unmarshal(at.AdditionalProperties, at.values)
			}
			return at
		}
	}
	return nil
}

// value returns a value of a schema with the fields that it requires.
func (d definitions) value(of *published, field string) any {
	at := d.resolve(of)
	switch {
	case at == nil:
		return map[string]any{}
	case strings.HasSuffix(at.name, "Quantity"):
		return "1"
	case len(at.OneOf) > 0 && at.Type == "", at.IsEither:
		return int64(1)
	case len(at.Enum) > 0:
		for _, one := range at.Enum {
			if one != "" {
				return one
			}
		}
	}
	switch at.Type {
	case "string":
		switch at.Format {
		case "byte":
			return "YQ=="
		case "date-time":
			if strings.HasSuffix(at.name, "MicroTime") {
				return "2026-01-01T00:00:00.000000Z"
			}
			return "2026-01-01T00:00:00Z"
		}
		return "a"
	case "integer", "number":
		return int64(1)
	case "boolean":
		return true
	case "array":
		return []any{d.value(at.Items, field)}
	}
	object := map[string]any{}
	for _, name := range at.Required {
		object[name] = d.value(at.Properties[name], name)
	}
	if at.values != nil {
		object["a"] = d.value(at.values, "")
	}
	return object
}

// needed is a field that a schema requires, or a Go struct, which may require some, at its shortest path in a kind.
type needed struct {
	parent *published
	path   []any
	field  string
}

// String returns the name of the Go type and the field.
func (n needed) String() string {
	return n.parent.name[strings.LastIndex(n.parent.name, ".")+1:] + "." + n.field
}

// isRequired reports whether the schema requires the field, and its zero value is not false, which is always valid for
// the schema.
func (n needed) isRequired() bool {
	return slices.Contains(n.parent.Required, n.field) && n.parent.Properties[n.field].Type != "boolean"
}

// needs returns all needed fields of a kind, outside of status, each at its shortest path.
func (d definitions) needs(root *published) []needed {
	type step struct {
		at   *published
		path []any
	}
	var found []needed
	seen := map[*published]bool{}
	for level := []step{{root, nil}}; len(level) > 0; {
		var next []step
		for _, one := range level {
			at := d.resolve(one.at)
			if at == nil || seen[at] || len(one.path) > 16 {
				continue
			}
			if at.name != "" {
				seen[at] = true
			}
			for _, name := range slices.Sorted(maps.Keys(at.Properties)) {
				fields, isMap := at.Properties[name].Default.(map[string]any)
				isStruct := isMap && len(fields) == 0
				if isStruct && name != "status" && name != "metadata" || slices.Contains(at.Required, name) {
					found = append(found, needed{at, one.path, name})
				}
			}
			for _, name := range slices.Sorted(maps.Keys(at.Properties)) {
				if len(one.path) == 0 && name == "status" || name == "managedFields" {
					continue
				}
				next = append(next, step{at.Properties[name], append(slices.Clone(one.path), name)})
			}
			if at.Items != nil {
				next = append(next, step{at.Items, append(slices.Clone(one.path), 0)})
			}
			if at.values != nil {
				next = append(next, step{at.values, append(slices.Clone(one.path), "a")})
			}
		}
		level = next
	}
	return found
}

// grafted returns base with the required fields of what is at a path. From the position fresh on, what base has on the
// way is replaced.
func (d definitions) grafted(root *published, base any, path []any, fresh int) any {
	at := d.resolve(root)
	if base == nil || fresh < 0 {
		base = d.value(root, "")
	}
	object, _ := base.(map[string]any)
	list, _ := base.([]any)
	if len(path) == 0 {
		if object != nil {
			for _, name := range at.Required {
				if object[name] == nil {
					object[name] = d.value(at.Properties[name], name)
				}
			}
		}
		return base
	}
	switch step := path[0].(type) {
	case int:
		var inner any
		if len(list) > 0 && fresh != 0 {
			inner = list[0]
		}
		return []any{d.grafted(at.Items, inner, path[1:], max(fresh-1, 0))}
	case string:
		if object == nil {
			object = map[string]any{}
		}
		member := at.Properties[step]
		if member == nil {
			member = at.values
		}
		var inner any
		if fresh != 0 {
			inner = object[step]
		}
		object[step] = d.grafted(member, inner, path[1:], max(fresh-1, 0))
		return object
	}
	return base
}

// lacks returns an object without the field of what is at a path.
func lacks(object map[string]any, path []any, field string) map[string]any {
	changed := runtime.DeepCopyJSON(object)
	var at any = changed
	for _, step := range path {
		switch step := step.(type) {
		case string:
			fields, _ := at.(map[string]any)
			at = fields[step]
		case int:
			list, _ := at.([]any)
			if len(list) == 0 {
				return changed
			}
			at = list[0]
		}
	}
	if fields, is := at.(map[string]any); is {
		delete(fields, field)
	}
	return changed
}
