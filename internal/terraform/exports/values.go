package exports

import (
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Values returns the value of the attribute values for a live object; null without exports.
func Values(exports types.Map, live map[string]any) types.Map {
	return each(exports, func(_ string, pattern paths.Pattern) attr.Value {
		if found := projection.Named(live, pattern); len(found) > 0 && found[0].Value != nil {
			return types.StringValue(rendering.Plain(found[0].Value))
		}
		return types.StringNull()
	})
}

// Absent returns the attribute values with null for each name.
func Absent(exports types.Map) types.Map {
	return each(exports, func(string, paths.Pattern) attr.Value { return types.StringNull() })
}

// Unknown returns the attribute values with each value known after the apply.
func Unknown(exports types.Map) types.Map {
	if exports.IsUnknown() {
		return types.MapUnknown(types.StringType)
	}
	return each(exports, func(string, paths.Pattern) attr.Value { return types.StringUnknown() })
}

// Prior holds the exports and values in a state, and the body that was applied.
type Prior struct {
	Exports, Values types.Map
	Body            map[string]any
	// Changed are the paths of fields that the apply changes or waits for.
	Changed []string
}

// Planned returns the attribute values of a plan that applies another body.
func Planned(exports types.Map, prior Prior, body map[string]any) types.Map {
	if exports.IsUnknown() {
		return types.MapUnknown(types.StringType)
	}
	before, was := prior.Values.Elements(), prior.Exports.Elements()
	changed := paths.PatternsOf(prior.Changed)
	return each(exports, func(name string, pattern paths.Pattern) attr.Value {
		value, has := before[name]
		same := has && was[name] != nil && was[name].Equal(exports.Elements()[name])
		if !same || slices.ContainsFunc(changed, pattern.Meets) ||
			!reflect.DeepEqual(projection.Named(prior.Body, pattern), projection.Named(body, pattern)) {
			return types.StringUnknown()
		}
		return value
	})
}

// Completed returns planned with its unknown values replaced by those of seen.
func Completed(planned, seen types.Map) types.Map {
	if planned.IsNull() || planned.IsUnknown() {
		return seen
	}
	values, found := planned.Elements(), seen.Elements()
	for name, value := range values {
		if value.IsUnknown() && found[name] != nil {
			values[name] = found[name]
		}
	}
	return types.MapValueMust(types.StringType, values)
}

// HasUnknown reports whether any of the values is unknown.
func HasUnknown(values types.Map) bool {
	return values.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(values.Elements())),
		attr.Value.IsUnknown)
}

// Secret returns the names of exports with secret values, sorted: those of fields that patterns cover, those of the
// data of a Secret, and those of annotations in which tools keep a copy of this object.
func Secret(exports types.Map, isSecret bool, sensitive paths.Patterns) []string {
	var names []string
	secret := sensitive
	switch {
	case isSecret:
		secret = slices.Concat(sensitive, rendering.SecretFields())
	case len(sensitive) > 0:
		secret = slices.Concat(sensitive, rendering.CopyFields())
	}
	each(exports, func(name string, pattern paths.Pattern) attr.Value {
		if slices.ContainsFunc(secret, pattern.Meets) {
			names = append(names, name)
		}
		return types.StringNull()
	})
	slices.Sort(names)
	return names
}

// RefuseSecret returns an error for each name of exports with a secret value; see Secret.
func RefuseSecret(exports types.Map, isSecret bool, sensitive paths.Patterns) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, name := range Secret(exports, isSecret, sensitive) {
		diags.Append(invalid.SecretExport(path.Root(Attribute).AtMapKey(name), sensitiveAttribute))
	}
	return diags
}

// RefuseWriteOnly returns an error for each name of sensitive_exports with a value that no state contains.
func RefuseWriteOnly(exports types.Map, writeOnly paths.Patterns) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, name := range Secret(exports, false, writeOnly) {
		diags.Append(invalid.WriteOnlyExport(path.Root(sensitiveAttribute).AtMapKey(name)))
	}
	return diags
}

// each returns a map from each name of exports to the result of value; null if exports is null or unknown.
func each(exports types.Map, value func(name string, pattern paths.Pattern) attr.Value) types.Map {
	if exports.IsNull() || exports.IsUnknown() {
		return types.MapNull(types.StringType)
	}
	values := map[string]attr.Value{}
	for name, element := range exports.Elements() {
		text, _ := element.(types.String)
		if text.IsUnknown() {
			values[name] = types.StringUnknown()
			continue
		}
		pattern, err := paths.Parse(text.ValueString())
		if err != nil {
			values[name] = types.StringNull() // Validation refuses it.
			continue
		}
		values[name] = value(name, pattern)
	}
	return types.MapValueMust(types.StringType, values)
}
