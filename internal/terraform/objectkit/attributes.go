package objectkit

import (
	"context"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// read fills the model from a state or a plan. Attributes that the schema does not have stay null. It does not pass the struct to the plugin
// framework, which would compile a regular expression for the tag of each field at each call.
func (m *Model) read(ctx context.Context, from interface {
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
	return diags
}

// write writes the model into a state or a plan: the reverse of read.
func (m *Model) write(ctx context.Context, to interface {
	Set(ctx context.Context, value any) diag.Diagnostics
}) diag.Diagnostics {
	values, kinds, fields := map[string]attr.Value{}, map[string]attr.Type{}, reflect.ValueOf(m).Elem()
	for name, index := range attributeFields {
		if slices.Contains(m.absent, name) {
			continue
		}
		value, _ := fields.FieldByIndex(index).Interface().(attr.Value)
		values[name], kinds[name] = value, value.Type(ctx)
	}
	object, diags := types.ObjectValue(kinds, values)
	if !diags.HasError() {
		diags.Append(to.Set(ctx, object)...)
	}
	return diags
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
