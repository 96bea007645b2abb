package attributes

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// ManifestValidator returns a validator that accepts one manifest.
func ManifestValidator() validator.String {
	return manifestValidator{"one YAML document with apiVersion, kind and metadata.name", errorOf(manifest.Parse)}
}

const fieldsInYAML = "one YAML document with fields of an object"

// partialManifestValidator returns a validator that accepts a part of a manifest. Its errors do not quote the manifest.
func partialManifestValidator() validator.String {
	return manifestValidator{fieldsInYAML, errorOf(manifest.ParsePartial)}
}

// PartValidator returns a validator that accepts fields of an object.
func PartValidator() validator.String { return manifestValidator{fieldsInYAML, manifest.CheckPart} }

// errorOf returns a function that returns the error of parse alone.
func errorOf[T, M any](parse func(T) (M, error)) func(T) error {
	return func(given T) error {
		_, err := parse(given)
		return err
	}
}

// KeepEqual returns a plan modifier that keeps the prior string if the new one is equal to it.
func KeepEqual(equal func(a, b string) bool) planmodifier.String {
	return keepEqual{"An edit that changes only the formatting plans nothing.", equal}
}

// manifestValidator accepts what parse accepts.
type manifestValidator struct {
	validators.Described
	parse func(text string) error
}

func (v manifestValidator) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if fault, is := errors.AsType[*manifest.Error](v.parse(req.ConfigValue.ValueString())); is {
		resp.Diagnostics.Append(invalid.Manifest(req.Path, fault))
	}
}

type keepEqual struct {
	validators.Described
	equal func(a, b string) bool
}

func (m keepEqual) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if req.StateValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	if m.equal(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// Written is an object of a configuration, decoded to the Go types of JSON.
type Written struct {
	// Object contains no null values, and contains stand-ins for values that are not known yet. It is nil if the object
	// is null or unknown.
	Object map[string]any
	// Undecided are the values that are not known yet.
	Undecided []arguments.Undecided
}

// DecodeObject returns an object of a configuration. The error for any other value is a *manifest.Error.
func DecodeObject(value types.Dynamic) (Written, error) {
	var d decoder
	decoded, is := d.decode(value, nil)
	if !is {
		return Written{}, nil
	}
	object, isMap := decoded.(map[string]any)
	if !isMap {
		return Written{}, &manifest.Error{
			Problem: "the value is not an object",
			Suggestion: `Write an object, for example { apiVersion = "v1", kind = "ConfigMap", ` +
				`metadata = { name = "web" } }. A string belongs in yaml_body.`,
		}
	}
	return Written{Object: object, Undecided: d.undecided}, nil
}

type decoder struct{ undecided []arguments.Undecided }

// decode returns a value, and false for an absent one: a null, or an unknown value that may be a map or a list.
func (d *decoder) decode(value attr.Value, at paths.Path) (any, bool) {
	if dynamic, is := value.(types.Dynamic); is && !dynamic.IsNull() && !dynamic.IsUnknown() {
		value = dynamic.UnderlyingValue()
	}
	if value.IsNull() {
		return nil, false
	}
	if value.IsUnknown() {
		stand := standIn(value)
		d.undecided = append(d.undecided, arguments.Undecided{At: at, IsOpen: stand == nil})
		return stand, stand != nil
	}
	switch value := value.(type) {
	case types.String:
		return value.ValueString(), true
	case types.Bool:
		return value.ValueBool(), true
	case types.Number:
		return number(value.ValueBigFloat()), true
	case types.Object:
		return d.fields(value.Attributes(), at), true
	case types.Map:
		return d.fields(value.Elements(), at), true
	case types.Tuple:
		return d.items(value.Elements(), at)
	case types.List:
		return d.items(value.Elements(), at)
	case types.Set:
		return d.items(value.Elements(), at)
	}
	return nil, false
}

func (d *decoder) fields(values map[string]attr.Value, at paths.Path) map[string]any {
	object := make(map[string]any, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if value, is := d.decode(values[name], paths.Below(at, paths.Field(name))); is {
			object[name] = value
		}
	}
	return object
}

// items returns the items of a list, and false if an unknown item may be a map, a list or null.
func (d *decoder) items(values []attr.Value, at paths.Path) (any, bool) {
	before, list := len(d.undecided), make([]any, 0, len(values))
	for _, item := range values {
		// Counts positions without nulls, as the request has them.
		if value, is := d.decode(item, paths.Below(at, paths.Index(len(list)))); is {
			list = append(list, value)
		} else if isOpen(item) {
			// The item may become null, and then those after it have other positions: the list is unknown as a whole.
			d.undecided = append(d.undecided[:before:before], arguments.Undecided{At: at, IsOpen: true})
			return nil, false
		}
	}
	return list, true
}

func isOpen(value attr.Value) bool { return value.IsUnknown() && standIn(value) == nil }

// standIn returns the value to use instead of an unknown one; nil if the unknown value may be a map or a list.
func standIn(unknown attr.Value) any {
	switch unknown.(type) {
	case types.String:
		return wanted.StandInText
	case types.Number:
		return wanted.StandInNumber
	case types.Bool:
		return wanted.StandInBool
	}
	return nil
}

// number returns an int64 if the value is one, as the API server decodes numbers, and the nearest float64 otherwise.
func number(value *big.Float) any {
	if whole, accuracy := value.Int64(); accuracy == big.Exact {
		return whole
	}
	decimal, _ := value.Float64()
	return decimal
}

// ManifestObjectValidator returns a validator that accepts an object that is one manifest.
func ManifestObjectValidator() validator.Dynamic {
	return objectValidator{"an object with apiVersion, kind and metadata.name", errorOf(manifest.Of)}
}

// PartObjectValidator returns a validator that accepts fields of an object.
func PartObjectValidator() validator.Dynamic {
	return objectValidator{Described: "an object with fields of an object", check: manifest.CheckPartOf}
}

// objectValidator accepts objects that check accepts. It does not check an object with unknown values that may be maps.
type objectValidator struct {
	validators.Described
	check func(object map[string]any) error
}

func (v objectValidator) ValidateDynamic(
	_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse,
) {
	written, err := DecodeObject(req.ConfigValue)
	if err == nil && written.Object != nil &&
		!slices.ContainsFunc(written.Undecided, func(u arguments.Undecided) bool { return u.IsOpen }) {
		err = v.check(written.Object)
	}
	if fault, ok := errors.AsType[*manifest.Error](err); ok {
		resp.Diagnostics.Append(invalid.Manifest(req.Path, fault))
	}
}
