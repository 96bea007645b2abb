package openapi

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Problem is a fault in a field of an object. It does not quote the value, which may be secret.
type Problem struct {
	// Field is the path of the field, with positions of list items.
	Field string
	// At leads to the field by names and positions: strings and ints.
	At   []any
	Text string
	// Nearest are the paths of fields that may have been meant by one that the schema does not have, best first.
	Nearest []string
	// IsOfWhole is true if the value as a whole is wrong. The fault then depends on everything below the field.
	IsOfWhole bool
}

// DependsOn reports whether the problem may end with the value at a path of names and positions, which is not known
// yet.
func (p Problem) DependsOn(at paths.Path) bool {
	for i, element := range at[:min(len(at), len(p.At))] {
		switch step := p.At[i].(type) {
		case string:
			if element.FieldName == nil || *element.FieldName != step {
				return false
			}
		case int:
			if element.Index == nil || *element.Index != step {
				return false
			}
		}
	}
	return len(at) <= len(p.At) || p.IsOfWhole
}

// Extent is the extent of a check: a whole object or a part of it.
type Extent string

// The extents.
const (
	// Whole is an object without its status.
	Whole Extent = "Whole"
	// Part is the body of a patch: fields that the schema requires may be missing, and null removes one.
	Part Extent = "Part"
)

// Check returns everything in an object that does not fit the schema, apart from rules, which only a server knows.
func (k *Kind) Check(object map[string]any, extent Extent) []Problem {
	if k.root == nil {
		return []Problem{k.unfit}
	}
	if _, has := object["status"]; has && extent == Whole {
		object = maps.Clone(object)
		delete(object, "status")
	}
	if k.isCustom && extent == Whole {
		object, _ = k.schemas.defaulted(k.root, object).(map[string]any)
	}
	search := fieldSearch{kind: k, shapes: true, isPart: extent == Part}
	search.walk(k.root, object, &place{})
	slices.SortStableFunc(search.found, func(a, b Problem) int { return strings.Compare(a.Field, b.Field) })
	return search.found
}

// CheckAt returns everything in a value that does not fit the schema, if it is set at a path of names and positions.
func (k *Kind) CheckAt(path []string, value any) []Problem {
	if k.root == nil {
		return []Problem{k.unfit}
	}
	search, schema, at := fieldSearch{kind: k, shapes: true, isPart: true}, k.root, &place{}
	for _, step := range path {
		item := k.schemas.item(schema)
		_, declared := schema.Properties[step]
		switch {
		case item != nil:
			position, _ := strconv.Atoi(step) // It is 0 for the end of the list.
			schema, at = item, at.item(position)
			continue
		case extension(schema, preserves):
			return nil
		case !declared && isClosed(schema):
			search.undeclared(schema, at, step)
			return search.found
		}
		if schema, at = k.schemas.member(schema, step), at.field(step); schema == nil {
			return nil
		}
	}
	search.walk(schema, value, at)
	return search.found
}

// ofWhole notes what is wrong with a map, a list, or a value with alternatives.
func (f *fieldSearch) ofWhole(at *place, format string, args ...any) {
	f.found = append(f.found, Problem{
		Field: at.String(), At: at.steps(), Text: fmt.Sprintf(format, args...), IsOfWhole: true,
	})
}

// isMisshapen checks the type of a value, the number of its entries, and the entries that the schema allows. It returns
// true if the value is of another type than the schema requires. The values below it have no schema then.
func (f *fieldSearch) isMisshapen(schema *spec.Schema, value any, at *place) bool {
	intOrString := extension(schema, "x-kubernetes-int-or-string")
	switch value := value.(type) {
	case nil:
		return true // A server takes null as no value, or as one that the schema allows.
	case map[string]any:
		if intOrString || len(schema.Type) == 1 && schema.Type[0] != "object" {
			f.add(at, expected(schema))
			return true
		}
		f.checkMap(schema, value, at)
	case []any:
		if intOrString || len(schema.Type) == 1 && schema.Type[0] != "array" {
			f.add(at, expected(schema))
			return true
		}
		f.checkList(schema, value, at)
	default:
		if schema.Type.Contains("object") || schema.Type.Contains("array") {
			f.add(at, expected(schema))
			return true
		}
		if number, is := numberOf(value); is && schema.MultipleOf != nil && !isWhole(number / *schema.MultipleOf) {
			f.add(at, "has to be a multiple of "+textOf(*schema.MultipleOf))
		}
	}
	f.checkAlternatives(schema, value, at)
	return false
}

// isWhole reports whether a quotient is a whole number, with the tolerance of the API server.
func isWhole(number float64) bool {
	return math.Abs(number-math.Round(number)) <= 2e-9*math.Max(1, math.Abs(number))
}

func numberOf(value any) (float64, bool) {
	switch value := value.(type) {
	case int64:
		return float64(value), true
	case float64:
		return value, true
	}
	return 0, false
}

// expected returns the problem of a value that is something else than its schema wants, in the words of the API server.
func expected(schema *spec.Schema) string {
	switch {
	case len(schema.Type) == 0:
		return "expected string or integer"
	case schema.Type[0] == "object":
		return "expected map"
	case schema.Type[0] == "array":
		return "expected list"
	case schema.Type[0] == "integer", schema.Type[0] == "number":
		return "expected numeric"
	}
	return "expected " + schema.Type[0]
}

func (f *fieldSearch) checkMap(schema *spec.Schema, object map[string]any, at *place) {
	size := int64(len(object))
	switch {
	case f.isPart:
		return
	case schema.MinProperties != nil && size < *schema.MinProperties:
		f.ofWhole(at, "needs %d or more entries", *schema.MinProperties)
	case schema.MaxProperties != nil && size > *schema.MaxProperties:
		f.ofWhole(at, "may have %d entries at most", *schema.MaxProperties)
	}
	for _, name := range schema.Required {
		property := schema.Properties[name]
		if object[name] == nil && !isStruct(property) && !f.isOptional(property, name, object, at) {
			f.add(at.field(name), missing)
		}
	}
	if f.kind.isCustom {
		return
	}
	for name, property := range schema.Properties {
		if object[name] == nil && isStruct(property) {
			f.checkEmpty(&property, at.field(name))
		}
	}
}

func (f *fieldSearch) checkList(schema *spec.Schema, list []any, at *place) {
	size := int64(len(list))
	kind, _ := schema.Extensions.GetString("x-kubernetes-list-type")
	isMerged := f.isPart && (kind == "map" || kind == "set")
	switch {
	case schema.MinItems != nil && size < *schema.MinItems && !isMerged:
		f.ofWhole(at, "needs %d or more items", *schema.MinItems)
	case schema.MaxItems != nil && size > *schema.MaxItems:
		f.ofWhole(at, "may have %d items at most", *schema.MaxItems)
	}
	keys, _ := schema.Extensions.GetStringSlice("x-kubernetes-list-map-keys")
	switch {
	case kind == "map" && len(keys) > 0:
		item := f.kind.schemas.item(schema)
		f.checkTwice(list, at, "has the same "+strings.Join(keys, " and "), func(value any) any {
			fields, _ := value.(map[string]any)
			if f.isPart && fields["$patch"] != nil {
				return nil
			}
			return f.keyOf(item, fields, keys)
		})
	case kind == "set" || schema.UniqueItems:
		f.checkTwice(list, at, "is the same", func(value any) any { return value })
	}
}

// keyOf returns the values of the keys of an item; nil if it lacks one that has no default.
func (f *fieldSearch) keyOf(item *spec.Schema, fields map[string]any, keys []string) any {
	values := make([]any, len(keys))
	for i, key := range keys {
		if values[i] = fields[key]; values[i] == nil && item != nil {
			values[i] = item.Properties[key].Default
		}
		if values[i] == nil {
			return nil
		}
	}
	return values
}

// checkTwice notes each item that is the same as one before it.
func (f *fieldSearch) checkTwice(list []any, at *place, same string, keyOf func(any) any) {
	first := map[string]int{}
	for i, value := range list {
		key := keyOf(value)
		if key == nil {
			continue
		}
		text := fmt.Sprintf("%#v", key)
		if before, twice := first[text]; twice {
			f.ofWhole(at.item(i), "%s as %s", same, at.item(before))
			continue
		}
		first[text] = i
	}
}

// checkAlternatives checks a value against allOf, anyOf, oneOf and not.
func (f *fieldSearch) checkAlternatives(schema *spec.Schema, value any, at *place) {
	if f.isPart {
		return
	}
	for i := range schema.AllOf {
		inner := fieldSearch{kind: f.kind, shapes: true, isAlternative: true}
		inner.walk(f.kind.schemas.resolve(&schema.AllOf[i]), value, at)
		f.found = append(f.found, inner.found...)
	}
	if len(schema.AnyOf) > 0 && f.fitting(schema.AnyOf, value) == 0 {
		f.ofWhole(at, "%s", alternatives("fits none of the alternatives of its schema", schema.AnyOf))
	}
	if fitting := f.fitting(schema.OneOf, value); len(schema.OneOf) > 0 && fitting != 1 {
		text := fmt.Sprintf("fits %d of the alternatives of its schema, and has to fit one", fitting)
		f.ofWhole(at, "%s", alternatives(text, schema.OneOf))
	}
	if schema.Not != nil && f.fitting([]spec.Schema{*schema.Not}, value) > 0 {
		f.ofWhole(at, "is what its schema excludes")
	}
}

// alternatives returns the problem of a value that fits none of several schemas: the types that they allow, or text
// followed by the fields that they require.
func alternatives(text string, of []spec.Schema) string {
	var types, fields []string
	for _, one := range of {
		for _, name := range one.Type {
			if one.Format != "" {
				name += " (" + one.Format + ")"
			}
			types = append(types, name)
		}
		if len(one.Required) > 0 {
			fields = append(fields, strings.Join(one.Required, " and "))
		}
	}
	switch len(of) {
	case len(types):
		return "expected " + strings.Join(types, " or ")
	case len(fields):
		return text + ": with " + strings.Join(fields, ", or with ")
	}
	return text
}

// fitting returns how many schemas a value fits.
func (f *fieldSearch) fitting(schemas []spec.Schema, value any) int {
	count := 0
	for i := range schemas {
		inner := fieldSearch{kind: f.kind, shapes: true, isAlternative: true}
		if inner.walk(f.kind.schemas.resolve(&schemas[i]), value, &place{}); len(inner.found) == 0 {
			count++
		}
	}
	return count
}

// checkEmpty checks a Go struct that is missing, which is an empty one.
func (f *fieldSearch) checkEmpty(property *spec.Schema, at *place) {
	if endsIn(at.names(), choices) && !f.kind.isUnproven {
		f.add(at, missing)
		return
	}
	f.checkMap(f.kind.schemas.resolve(property), nil, at)
}

const missing = "required, and missing"

// isStruct reports whether a field is one of a built-in kind that is never missing: a Go struct, which is empty
// instead. So what it requires may be missing.
func isStruct(property spec.Schema) bool {
	fields, is := property.Default.(map[string]any)
	return is && len(fields) == 0
}

var (
	// zeroes are the ends of the paths of fields of built-in kinds that their schemas require, and the API server does
	// not: their zero value is valid.
	zeroes = []string{
		"dataSource.kind", "forZones.name", "httpHeaders.value", "iscsi.lun", "pool.generation",
		"podFailurePolicy.rules", "revision", "scaleIO.secretRef", "sleep.seconds", "spec.drivers", "spec.limits",
		"sysctls.value", "tokenRequests.audience",
	}
	// choices are the ends of the paths of required structs that need one of their fields. An empty struct is not valid
	// there.
	choices = []string{"paths.backend", "spec.source", "webhooks.clientConfig"}
	// ignored are the fields below which the API server requires nothing: it drops them.
	ignored = []string{"clusterTrustBundle", "configSource", "podCertificate", "status"}
)

// isOptional reports whether a field may be missing although the schema requires it, or is there as null. A test
// compares what is required with the server.
func (f *fieldSearch) isOptional(property spec.Schema, name string, object map[string]any, at *place) bool {
	if _, isNull := object[name]; isNull && property.Nullable {
		return true
	}
	if f.kind.isCustom {
		return false // Defaults are there.
	}
	if f.kind.isUnproven || property.Type.Contains("boolean") || f.isQuantity(f.kind.schemas.resolve(&property)) {
		return true
	}
	isIgnored := slices.ContainsFunc(at.steps(), func(step any) bool {
		field, is := step.(string)
		return is && slices.Contains(ignored, field)
	})
	return isIgnored || endsIn(at.field(name).names(), zeroes)
}

// endsIn reports whether a path ends in one of those of a list.
func endsIn(names string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(names, "."+end) })
}
