package model

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// The names of attributes.
const (
	// ListLengthsAttribute has the limits of lists.
	ListLengthsAttribute = "list_lengths"
	// ManifestAttribute has an object instead of a string.
	ManifestAttribute = "manifest"
	// PatchAttribute has a patch that is not server-side apply.
	PatchAttribute = "patch"
	// ListKeysAttribute is the attribute of a patch that has the keys of lists.
	ListKeysAttribute = "list_keys"
	// WriteOnlyAttribute has values that are stored nowhere.
	WriteOnlyAttribute = "yaml_body_wo"
	// WriteOnlyVersionAttribute sends the values of WriteOnlyAttribute when it changes.
	WriteOnlyVersionAttribute = "yaml_body_wo_version"
)

// Read fills the model from a state, a plan or a configuration. Attributes that the schema does not have stay null.
func (m *Model) Read(ctx context.Context, from interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}) diag.Diagnostics {
	var object types.Object
	diags := from.Get(ctx, &object)
	values, fields := object.Attributes(), reflect.ValueOf(m).Elem()
	for name, index := range attributeFields {
		if value, has := values[name]; has {
			fields.FieldByIndex(index).Set(reflect.ValueOf(value))
		} else {
			m.absent = append(m.absent, name)
		}
	}
	m.decoded = nil
	return diags
}

// Write writes the model into a state or a plan: the reverse of Read.
func (m *Model) Write(ctx context.Context, to interface {
	Set(ctx context.Context, value any) diag.Diagnostics
}) diag.Diagnostics {
	values, kinds := map[string]attr.Value{}, map[string]attr.Type{}
	for name, index := range attributeFields {
		if slices.Contains(m.absent, name) {
			continue
		}
		values[name] = m.value(index)
		kinds[name] = values[name].Type(ctx)
	}
	object, diags := types.ObjectValue(kinds, values)
	if !diags.HasError() {
		diags.Append(to.Set(ctx, object)...)
	}
	return diags
}

// TakeWriteOnly fills in the write-only part from the configuration: plans and states hold no write-only values.
func (m *Model) TakeWriteOnly(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	m.decoded = nil
	return config.GetAttribute(ctx, path.Root(WriteOnlyAttribute), &m.writeOnly)
}

// SetWriteOnly sets the write-only part, of a resource with many objects.
func SetWriteOnly(m *Model, part, version types.String) {
	m.writeOnly, m.YAMLBodyWOVersion, m.decoded = part, version, nil
}

// value returns the attribute at a position of attributeFields.
func (m *Model) value(index []int) attr.Value {
	value, _ := reflect.ValueOf(m).Elem().FieldByIndex(index).Interface().(attr.Value)
	return value
}

// attributeOf returns the attribute of a name.
func attributeOf(m *Model, name string) attr.Value { return m.value(attributeFields[name]) }

// same reports whether two models have the same values of the attributes that counts selects.
func (m *Model) same(other *Model, counts func(index []int) bool) bool {
	for index := range maps.Values(attributeFields) {
		if counts(index) && !attributes.SameValue(m.value(index), other.value(index)) {
			return false
		}
	}
	return true
}

// attributeFields are the positions of the model's fields, by the names of their attributes.
var attributeFields = func() map[string][]int {
	fields := map[string][]int{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Model]()) {
		if name, is := field.Tag.Lookup("tfsdk"); is {
			fields[name] = field.Index
		}
	}
	return fields
}()

// computedField is the position of Computed.
var computedField = func() int {
	field, _ := reflect.TypeFor[Model]().FieldByName("Computed")
	return field.Index[0]
}()
