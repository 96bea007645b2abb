package attributes

import (
	"reflect"

	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// ClustersOfProvider returns the attribute `clusters` of the provider, with its validation.
func ClustersOfProvider() providerschema.MapNestedAttribute {
	return providerschema.MapNestedAttribute{
		Optional: true,
		NestedObject: providerschema.NestedAttributeObject{
			Attributes: build(fields, inProvider), Validators: []validator.Object{Valid()},
		},
		Validators: []validator.Map{clusterNames{"names that can be written into an import ID"}},
	}
}

// ProviderAttribute returns the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() providerschema.SingleNestedAttribute {
	return providerschema.SingleNestedAttribute{
		Optional: true, Attributes: build(fields, inProvider), Validators: []validator.Object{validOfProvider()},
	}
}

// ConnectionOfResource returns the attributes `cluster` and `cluster_name` of a resource.
func ConnectionOfResource() map[string]resourceschema.Attribute { return connection(inResource) }

// ConnectionOfDataSource returns the attributes `cluster` and `cluster_name` of a data source.
func ConnectionOfDataSource() map[string]datasourceschema.Attribute { return connection(inDataSource) }

// ConnectionOfEphemeral returns the attributes `cluster` and `cluster_name` of an ephemeral resource.
func ConnectionOfEphemeral() map[string]ephemeralschema.Attribute { return connection(inEphemeral) }

// ConnectionOfList returns the attributes `cluster` and `cluster_name` of a list resource.
func ConnectionOfList() map[string]listschema.Attribute { return connection(inList) }

// ConnectionOfAction returns the attributes `cluster` and `cluster_name` of an action.
func ConnectionOfAction() map[string]actionschema.Attribute { return connection(inAction) }

// connection returns the attributes `cluster` and `cluster_name`, with their validation.
func connection[A any](in schemaBuilder[A]) map[string]A {
	return build([]field{
		{name: AttributeName, nested: fields, validators: []validator.Object{
			Valid(), validators.Excludes(ClusterNameAttribute),
		}},
		{name: ClusterNameAttribute, kind: types.StringType},
	}, in)
}

// schemaBuilder has an empty attribute of each type, in one kind of schema. The plugin framework has separate types for
// each kind, with the same exported fields. A kind without a mark for sensitive values lacks the field Sensitive.
type schemaBuilder[A any] struct{ text, flag, list, mapping, object A }

var (
	inProvider = schemaBuilder[providerschema.Attribute]{
		providerschema.StringAttribute{}, providerschema.BoolAttribute{}, providerschema.ListAttribute{},
		providerschema.MapAttribute{}, providerschema.SingleNestedAttribute{},
	}
	inResource = schemaBuilder[resourceschema.Attribute]{
		resourceschema.StringAttribute{}, resourceschema.BoolAttribute{}, resourceschema.ListAttribute{},
		resourceschema.MapAttribute{}, resourceschema.SingleNestedAttribute{},
	}
	inDataSource = schemaBuilder[datasourceschema.Attribute]{
		datasourceschema.StringAttribute{}, datasourceschema.BoolAttribute{}, datasourceschema.ListAttribute{},
		datasourceschema.MapAttribute{}, datasourceschema.SingleNestedAttribute{},
	}
	inEphemeral = schemaBuilder[ephemeralschema.Attribute]{
		ephemeralschema.StringAttribute{}, ephemeralschema.BoolAttribute{}, ephemeralschema.ListAttribute{},
		ephemeralschema.MapAttribute{}, ephemeralschema.SingleNestedAttribute{},
	}
	inList = schemaBuilder[listschema.Attribute]{
		listschema.StringAttribute{}, listschema.BoolAttribute{}, listschema.ListAttribute{},
		listschema.MapAttribute{}, listschema.SingleNestedAttribute{},
	}
	inAction = schemaBuilder[actionschema.Attribute]{
		actionschema.StringAttribute{}, actionschema.BoolAttribute{}, actionschema.ListAttribute{},
		actionschema.MapAttribute{}, actionschema.SingleNestedAttribute{},
	}
)

// build returns the attributes that a schemaBuilder makes from fields, by name.
func build[A any](fields []field, of schemaBuilder[A]) map[string]A {
	all := make(map[string]A, len(fields))
	for _, f := range fields {
		all[f.name] = of.attribute(f)
	}
	return all
}

func (of schemaBuilder[A]) attribute(f field) A {
	set := map[string]any{
		"Required": f.presence == required, "Optional": f.presence != required, "Sensitive": f.secrecy == hidden,
	}
	empty := of.text
	switch kind := f.attrType().(type) {
	case types.ObjectType:
		empty, set["Attributes"], set["Validators"] = of.object, build(f.nested, of), f.validators
	case types.ListType:
		empty, set["ElementType"] = of.list, kind.ElemType
	case types.MapType:
		empty, set["ElementType"] = of.mapping, kind.ElemType
	case basetypes.BoolType:
		empty = of.flag
	}
	filled := reflect.New(reflect.TypeOf(empty)).Elem()
	for name, value := range set {
		if at := filled.FieldByName(name); at.IsValid() {
			at.Set(reflect.ValueOf(value))
		}
	}
	attribute, _ := filled.Interface().(A)
	return attribute
}
