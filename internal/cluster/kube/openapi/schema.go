package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/rest"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Kind is the published schema of one kind.
type Kind struct {
	root *spec.Schema
	// schemas are all of its group version, for the references in root.
	schemas schemas
}

// Read returns the published schema of a kind: two GETs, the index and the document of its group version.
func Read(ctx context.Context, server rest.Interface, kind schema.GroupVersionKind) (*Kind, error) {
	published, err := openapi.ToClientWithContext(openapi.NewClient(server)).PathsWithContext(ctx)
	if err != nil {
		return nil, err
	}
	gv := kind.GroupVersion()
	path := "apis/" + gv.String()
	if gv.Group == "" {
		path = "api/" + gv.Version
	}
	document, found := published[path]
	if !found {
		return nil, fmt.Errorf("no schema is published for %s", gv)
	}
	text, err := document.SchemaWithContext(ctx, runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	var parsed struct {
		Components struct {
			Schemas schemas `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		return nil, err
	}
	root := parsed.Components.Schemas.of(kind)
	if root == nil {
		return nil, fmt.Errorf("no schema is published for %s", kind)
	}
	return &Kind{root: root, schemas: parsed.Components.Schemas}, nil
}

// schemas are the published schemas of one group version, by name.
type schemas map[string]*spec.Schema

// of returns the schema of a kind; nil without one.
func (s schemas) of(kind schema.GroupVersionKind) *spec.Schema {
	for _, candidate := range s {
		var kinds []schema.GroupVersionKind
		err := candidate.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds)
		// A schema of several kinds is one of options, DeleteOptions for example.
		if err == nil && len(kinds) == 1 && kinds[0] == kind {
			return candidate
		}
	}
	return nil
}

// resolve follows the references of a schema; nil for nil, and where a reference leads nowhere.
func (s schemas) resolve(at *spec.Schema) *spec.Schema {
	for at != nil {
		switch {
		case at.Ref.String() != "":
			at = s[strings.TrimPrefix(at.Ref.String(), "#/components/schemas/")]
		// OpenAPI v3 allows nothing beside a reference, so one with a default or a description is wrapped in allOf.
		case len(at.AllOf) == 1 && len(at.Properties) == 0:
			at = &at.AllOf[0]
		default:
			return at
		}
	}
	return nil
}

// member returns the schema of a field; nil if the schema does not say.
func (s schemas) member(at *spec.Schema, name string) *spec.Schema {
	if property, has := at.Properties[name]; has {
		return s.resolve(&property)
	}
	if at.AdditionalProperties != nil {
		return s.resolve(at.AdditionalProperties.Schema)
	}
	return nil
}

// item returns the schema of the items of a list; nil without one.
func (s schemas) item(at *spec.Schema) *spec.Schema {
	if at.Items == nil {
		return nil
	}
	return s.resolve(at.Items.Schema)
}

// isClosed reports whether a schema names all the fields that an object may have.
func isClosed(at *spec.Schema) bool {
	preserves, _ := at.Extensions.GetBool("x-kubernetes-preserve-unknown-fields")
	return len(at.Properties) > 0 && at.AdditionalProperties == nil && !preserves
}
