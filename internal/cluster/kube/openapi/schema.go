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

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Kind is the published schema of one kind.
type Kind struct {
	root *spec.Schema
	// schemas are all of its group version, for the references in root.
	schemas schemas
	// isCustom is true for a kind that a CustomResourceDefinition has added.
	isCustom bool
	// isUnproven is true for a kind of Go types whose schema's requirements were compared with no server: one of
	// another API server, and a built-in kind of an alpha or beta version, which servers do not serve unless told to.
	isUnproven bool
	// unfit is the problem of every object if the server does not have the kind. root is nil then.
	unfit Problem
}

// Read returns the published schema of a kind: two GETs, the index and the document of its group version.
func Read(ctx context.Context, server rest.Interface, kind schema.GroupVersionKind) (*Kind, error) {
	documents, err := openapi.ToClientWithContext(openapi.NewClient(server)).PathsWithContext(ctx)
	if err != nil {
		return nil, err
	}
	gv := kind.GroupVersion()
	document, found := documents[pathOf(gv)]
	if !found {
		return nil, fmt.Errorf("no schema is published for %s", gv)
	}
	text, err := document.SchemaWithContext(ctx, runtime.ContentTypeJSON)
	if err != nil {
		return nil, err
	}
	published, err := parse(text)
	if err != nil {
		return nil, err
	}
	if known := published.kinds()[kind]; known != nil {
		return known, nil
	}
	return nil, fmt.Errorf("no schema is published for %s", kind)
}

// schemas are the published schemas of one group version, by name.
type schemas map[string]*spec.Schema

// pathOf returns the path of the schemas of a group version in the server's index.
func pathOf(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api/" + gv.Version
	}
	return "apis/" + gv.String()
}

// parse returns the schemas of a document of OpenAPI v3.
func parse(text []byte) (schemas, error) {
	var parsed struct {
		Components struct {
			Schemas schemas `json:"schemas"`
		} `json:"components"`
	}
	err := json.Unmarshal(text, &parsed)
	return parsed.Components.Schemas, err
}

func (s schemas) kinds() map[schema.GroupVersionKind]*Kind {
	found := map[schema.GroupVersionKind]*Kind{}
	for _, candidate := range s {
		var kinds []schema.GroupVersionKind
		err := candidate.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds)
		// A schema of several kinds is one of options, DeleteOptions for example.
		if err == nil && len(kinds) == 1 {
			isBuiltin := manifest.IsBuiltinGroup(kinds[0].Group)
			isCustom := !isBuiltin && !isOfGo(candidate)
			preview := strings.Contains(kinds[0].Version, "alpha") || strings.Contains(kinds[0].Version, "beta")
			found[kinds[0]] = &Kind{
				root: candidate, schemas: s, isCustom: isCustom, isUnproven: !isCustom && (preview || !isBuiltin),
			}
		}
	}
	return found
}

// isOfGo reports whether the schema of a kind was made from a Go type, which refers to those of other types. The schema
// of a definition is written out, apart from metadata.
func isOfGo(root *spec.Schema) bool {
	for name, property := range root.Properties {
		refers := property.Ref.String() != "" || len(property.AllOf) == 1 && property.AllOf[0].Ref.String() != ""
		if isStruct(property) && name == "metadata" || refers && name != "metadata" {
			return true
		}
	}
	return false
}

// resolve follows the references of a schema; nil for nil, and where a reference leads nowhere.
func (s schemas) resolve(at *spec.Schema) *spec.Schema {
	for at != nil {
		switch {
		case at.Ref.String() != "":
			at = s[strings.TrimPrefix(at.Ref.String(), "#/components/schemas/")]
		// OpenAPI v3 allows nothing next to a reference, so one with a default or a description is wrapped in allOf.
		case len(at.AllOf) == 1 && at.AllOf[0].Ref.String() != "":
			at = &at.AllOf[0]
		default:
			return at
		}
	}
	return nil
}

// member returns the schema of a field; nil if the schema does not describe it.
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

// defaulted returns a value of a custom resource with the defaults of missing fields, as the server adds them before it
// checks the value.
func (s schemas) defaulted(at *spec.Schema, value any) any {
	if at == nil {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		filled := make(map[string]any, len(value))
		for name, inner := range value {
			filled[name] = inner
			if name != "metadata" { // Its schema is one of Go, whose defaults are zero values.
				filled[name] = s.defaulted(s.member(at, name), inner)
			}
		}
		for name, property := range at.Properties {
			_, has := filled[name]
			if filled[name] == nil && property.Default != nil && (!has || !property.Nullable) {
				filled[name] = s.defaulted(s.resolve(&property), property.Default)
			}
		}
		return filled
	case []any:
		filled := make([]any, len(value))
		for i := range value {
			filled[i] = s.defaulted(s.item(at), value[i])
		}
		return filled
	}
	return value
}

// isClosed reports whether a schema names all the fields that an object may have.
func isClosed(at *spec.Schema) bool {
	return len(at.Properties) > 0 && at.AdditionalProperties == nil && !extension(at, preserves)
}

const preserves = "x-kubernetes-preserve-unknown-fields"

// extension reports whether an extension of a schema is true.
func extension(at *spec.Schema, name string) bool {
	is, _ := at.Extensions.GetBool(name)
	return is
}
