package objectkit

import (
	"context"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// read fills the model from a state or a plan. What the schema does not have stays null. The plugin framework would take the struct itself, and compile a regular
// expression for the tag of each field at each call.
func (m *Model) read(ctx context.Context, from interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}) diag.Diagnostics {
	var object types.Object
	diags := from.Get(ctx, &object)
	values, fields := object.Attributes(), reflect.ValueOf(m).Elem()
	for i, name := range attributeNames {
		if value, has := values[name]; has {
			fields.Field(i).Set(reflect.ValueOf(value))
		} else {
			m.absent = append(m.absent, name)
		}
	}
	return diags
}

// write puts the model into a state or a plan, as read takes it from there.
func (m *Model) write(ctx context.Context, to interface {
	Set(ctx context.Context, value any) diag.Diagnostics
}) diag.Diagnostics {
	values, kinds, fields := map[string]attr.Value{}, map[string]attr.Type{}, reflect.ValueOf(m).Elem()
	for i, name := range attributeNames {
		if slices.Contains(m.absent, name) {
			continue
		}
		value, _ := fields.Field(i).Interface().(attr.Value)
		values[name], kinds[name] = value, value.Type(ctx)
	}
	object, diags := types.ObjectValue(kinds, values)
	if !diags.HasError() {
		diags.Append(to.Set(ctx, object)...)
	}
	return diags
}

// attributeNames are by the position of the model's field.
var attributeNames = func() map[int]string {
	names := map[int]string{}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[Model]()) {
		if name, is := field.Tag.Lookup("tfsdk"); is {
			names[i] = name
		}
	}
	return names
}()
