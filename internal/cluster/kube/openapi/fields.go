package openapi

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// maxDepth bounds the search for fields in schemas, which may contain themselves.
const maxDepth = 12

// Undeclared returns all fields of a body that the schema lacks, each with the names that may have been meant.
func (k *Kind) Undeclared(body map[string]any) []cluster.UndeclaredField {
	var found []cluster.UndeclaredField
	for _, p := range k.search(body, false) {
		if p.Text == NotDeclared {
			found = append(found, cluster.UndeclaredField{Path: p.Field, Nearest: p.Nearest})
		}
	}
	return found
}

// Mistyped returns the values that have another type than the schema wants, that the server cannot read, or that are
// outside of the limits of the schema.
func (k *Kind) Mistyped(body map[string]any) []cluster.FieldProblem {
	var found []cluster.FieldProblem
	for _, p := range k.search(body, false) {
		if p.Text != NotDeclared {
			found = append(found, cluster.FieldProblem{Field: p.Field, Problem: p.Text})
		}
	}
	return found
}

const (
	// NotDeclared is the problem of a field that the schema does not have.
	NotDeclared = "no such field"
	// NotServed is the problem of an API version of a built-in group that the server does not have.
	NotServed = "the server has no such version"
	// Unreadable is the problem of a value that has the right type, and that the server cannot read.
	Unreadable = "the server cannot read the value"
	// StringExpected is the problem of a value that may have to be in quotes.
	StringExpected = "expected string"
)

func (k *Kind) search(body map[string]any, shapes bool) []Problem {
	search := fieldSearch{kind: k, shapes: shapes}
	search.walk(k.root, body, &place{})
	return search.found
}

// fieldSearch compares a value with a schema.
type fieldSearch struct {
	kind *Kind
	// shapes is true if maps and lists are checked, too, and not only their names and values.
	shapes bool
	// isPart is true if fields may be missing.
	isPart bool
	// isAlternative is true in a schema of anyOf, oneOf, allOf or not, which may name a part of the fields.
	isAlternative bool
	found         []Problem
}

func (f *fieldSearch) add(at *place, text string) {
	f.found = append(f.found, Problem{Field: at.String(), At: at.steps(), Text: text})
}

// undeclared notes a field that the schema of the map around it does not have.
func (f *fieldSearch) undeclared(around *spec.Schema, at *place, name string) {
	field := at.field(name)
	f.found = append(f.found, Problem{
		Field: field.String(), At: field.steps(), Text: NotDeclared, Nearest: f.nearest(around, at.String(), name),
	})
}

func (f *fieldSearch) walk(schema *spec.Schema, value any, at *place) {
	if schema == nil {
		return
	}
	if f.shapes && f.isMisshapen(schema, value, at) {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		embedded := extension(schema, "x-kubernetes-embedded-resource")
		open := at.isOpen || f.shapes && extension(schema, preserves)
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if f.isPart && strings.HasPrefix(name, "$") {
				continue // A directive of a strategic merge patch.
			}
			if _, declared := schema.Properties[name]; !declared && isClosed(schema) && !f.isAlternative && !at.isOpen {
				f.undeclared(schema, at, name)
				continue
			}
			field := at.field(name)
			field.isOpen = open && (!embedded || name != "metadata")
			f.walk(f.kind.schemas.member(schema, name), value[name], field)
		}
	case []any:
		for i, item := range value {
			f.walk(f.kind.schemas.item(schema), item, at.item(i))
		}
	default:
		if problem := f.problemOf(schema, value); problem != "" {
			f.add(at, problem)
		}
	}
}

// problemOf returns what is wrong with a scalar value; "" if it fits its schema.
func (f *fieldSearch) problemOf(at *spec.Schema, value any) string {
	_, isText := value.(string)
	_, isBoolean := value.(bool)
	switch {
	case value == nil || extension(at, "x-kubernetes-int-or-string") || len(at.Type) != 1:
	case at.Type[0] == "string" && !isText:
		return StringExpected
	case (at.Type[0] == "integer" || at.Type[0] == "number") && (isText || isBoolean):
		return "expected numeric"
	case at.Type[0] == "boolean" && !isBoolean:
		return "expected boolean"
	}
	if !f.isReadable(at, value) {
		return Unreadable
	}
	if f.shapes && value == "" && !f.kind.isCustom {
		return "" // The Go types of the API server do not tell an empty string from none.
	}
	if f.kind.isCustom && !hasFormat(at.Format, value) {
		return "has to be of the format " + at.Format
	}
	return outside(at, value)
}

// isReadable reports whether the server can read a value as the whole number, the bytes or the quantity that the schema
// wants.
func (f *fieldSearch) isReadable(at *spec.Schema, value any) bool {
	switch value := value.(type) {
	case float64:
		return !at.Type.Contains("integer") || value == math.Trunc(value)
	case string:
		if at.Format == "byte" {
			_, err := base64.StdEncoding.DecodeString(value)
			return err == nil
		}
		if f.isQuantity(at) {
			_, err := quantity.ParseQuantity(value)
			return err == nil
		}
	}
	return true
}

func (f *fieldSearch) isQuantity(at *spec.Schema) bool {
	return at != nil && at == f.kind.schemas["io.k8s.apimachinery.pkg.api.resource.Quantity"]
}

// nearest returns the paths of the fields that may have been meant: those with a similar name at the same place,
// else those with the same name elsewhere, outside of status.
func (f *fieldSearch) nearest(at *spec.Schema, path, name string) []string {
	var texts []string
	for _, other := range paths.SimilarNames(name, slices.Sorted(maps.Keys(at.Properties))) {
		texts = append(texts, paths.Join(path, other))
	}
	if texts == nil {
		texts = f.elsewhere(name)
	}
	return texts[:min(len(texts), paths.MostSimilar)]
}

// elsewhere returns the paths of the least deep fields of this name in the whole kind.
func (f *fieldSearch) elsewhere(name string) []string {
	type schemaField struct {
		schema *spec.Schema
		path   string
	}
	var found []string
	level := []schemaField{{f.kind.root, ""}}
	// A schema that contains itself is searched only at its least depth.
	seen := map[*spec.Schema]struct{}{}
	for depth := 0; depth < maxDepth && len(found) == 0; depth++ {
		var next []schemaField
		for _, at := range level {
			for _, other := range slices.Sorted(maps.Keys(at.schema.Properties)) {
				path := paths.Join(at.path, other)
				if path == "metadata" || path == "status" {
					continue
				}
				if other == name {
					found = append(found, path)
				}
				member := f.kind.schemas.member(at.schema, other)
				if member != nil && f.kind.schemas.item(member) != nil {
					member, path = f.kind.schemas.item(member), path+"[*]"
				}
				if _, again := seen[member]; member != nil && !again {
					next = append(next, schemaField{member, path})
				}
			}
		}
		for _, at := range next {
			seen[at.schema] = struct{}{}
		}
		level = next
	}
	return found
}

// items matches what names a list item: the server has its keys, and the schema its position. names matches names that
// are quoted, which those of the server are not.
var (
	items = regexp.MustCompile(`\[[^\]]*\]`)
	names = regexp.MustCompile(`\["([^"]*)"\]`)
)

// IsSameField reports whether two paths are the same, apart from the keys or positions of list items and from quotes.
func IsSameField(one, other string) bool {
	plain := func(path string) string { return items.ReplaceAllString(names.ReplaceAllString(path, ".$1"), "[]") }
	return plain(one) == plain(other)
}

// hasFormat reports whether a value has a format. It checks strings with the code of the API server. A format that some
// Kubernetes version does not know is not checked.
func hasFormat(format string, value any) bool {
	if number, is := numberOf(value); is {
		return format != "int32" || number >= math.MinInt32 && number <= math.MaxInt32
	}
	text, is := value.(string)
	name := strings.ReplaceAll(format, "-", "")
	isOther := strings.HasPrefix(name, "k8s") || !strfmt.Default.ContainsName(name)
	return !is || isOther || strfmt.Default.Validates(name, text)
}

// outside returns which limit of its schema a scalar value breaks; "" if it breaks none. The server checks limits only
// when everything has the right type, so its refusal of another value does not name them. The problem does not quote
// the value, which may be secret.
func outside(at *spec.Schema, value any) string {
	if value == nil {
		return ""
	}
	isEqual := func(allowed any) bool { return textOf(allowed) == textOf(value) }
	if len(at.Enum) > 0 && !slices.ContainsFunc(at.Enum, isEqual) {
		texts := make([]string, len(at.Enum))
		for i, allowed := range at.Enum {
			texts[i] = textOf(allowed)
		}
		return "supported values: " + strings.Join(texts, ", ")
	}
	switch value := value.(type) {
	case int64:
		return outOfRange(at, float64(value))
	case float64:
		return outOfRange(at, value)
	case string:
		return badText(at, value)
	}
	return ""
}

// textOf returns a value as a schema writes it: large whole numbers with all digits.
func textOf(value any) string {
	if number, is := numberOf(value); is {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func outOfRange(at *spec.Schema, value float64) string {
	switch {
	case at.Minimum != nil && at.ExclusiveMinimum && value <= *at.Minimum:
		return fmt.Sprintf("has to be greater than %s", textOf(*at.Minimum))
	case at.Minimum != nil && value < *at.Minimum:
		return fmt.Sprintf("has to be at least %s", textOf(*at.Minimum))
	case at.Maximum != nil && at.ExclusiveMaximum && value >= *at.Maximum:
		return fmt.Sprintf("has to be less than %s", textOf(*at.Maximum))
	case at.Maximum != nil && value > *at.Maximum:
		return fmt.Sprintf("has to be at most %s", textOf(*at.Maximum))
	}
	return ""
}

func badText(at *spec.Schema, value string) string {
	length := int64(utf8.RuneCountInString(value))
	switch {
	case at.MinLength != nil && length < *at.MinLength:
		return fmt.Sprintf("has to have at least %d characters", *at.MinLength)
	case at.MaxLength != nil && length > *at.MaxLength:
		return fmt.Sprintf("may have at most %d characters", *at.MaxLength)
	}
	if pattern := compiled(at.Pattern); pattern != nil && !pattern.MatchString(value) {
		return "has to match " + at.Pattern
	}
	return ""
}

// patterns are those that were compiled, nil for one that is not valid.
var patterns sync.Map

func compiled(text string) *regexp.Regexp {
	known, has := patterns.Load(text)
	if !has {
		pattern, _ := regexp.Compile(text)
		known, _ = patterns.LoadOrStore(text, pattern)
	}
	pattern, _ := known.(*regexp.Regexp)
	return pattern
}

// place is where a value is; the zero place is the root.
type place struct {
	parent *place
	// step is the name of a field or the position of an item.
	step any
	// isOpen is true below x-kubernetes-preserve-unknown-fields: server-side apply takes any field there, also in a map
	// whose schema names its fields.
	isOpen bool
}

func (p *place) field(name string) *place { return &place{p, name, p.isOpen} }
func (p *place) item(position int) *place { return &place{p, position, p.isOpen} }

// names returns the names that lead to the place, each after a dot.
func (p *place) names() string {
	if p.parent == nil {
		return ""
	}
	if name, is := p.step.(string); is {
		return p.parent.names() + "." + name
	}
	return p.parent.names()
}

func (p *place) String() string {
	switch step := p.step.(type) {
	case string:
		return paths.Join(p.parent.String(), step)
	case int:
		return fmt.Sprintf("%s[%d]", p.parent.String(), step)
	}
	return ""
}

func (p *place) steps() []any {
	if p.parent == nil {
		return nil
	}
	return append(p.parent.steps(), p.step)
}
