package diagnostics_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
)

// manifestWords are the words of k8sconnect_manifest.
var manifestWords = diagnostics.Names{
	Noun: "resource", Type: "k8sconnect_manifest", Cluster: "cluster",
	Sent: diagnostics.Sent{Body: "yaml_body", WriteOnlyBody: "yaml_body_wo", WriteOnlyVersion: "yaml_body_wo_version"},
	Arguments: diagnostics.Arguments{
		arguments.AdoptExisting: "adopt_existing", arguments.DeleteProtection: "delete_protection", arguments.FieldManager: "field_manager",
		arguments.ForceDestroy: "force_destroy", arguments.IgnoreFields: "ignore_fields", arguments.PinFields: "pin_fields",
		arguments.Repin: "repin", arguments.ListLengths: "list_lengths", arguments.OnConflict: "on_conflict",
		arguments.OnDestroy: "on_destroy", arguments.Once: "once", arguments.Successor: "successor",
		arguments.SensitiveFields: "sensitive_fields", arguments.TakeOverManagers: "take_over_managers",
	},
	Shown: diagnostics.Shown{FieldOwnership: "field_ownership", ManagedState: "managed_state"}, Timeouts: diagnostics.Timeouts{Block: "timeouts"},
}

// overlay are the words of a made-up resource, which has other names for its attributes, and fewer of them.
var overlay = diagnostics.Names{
	Noun: "overlay", Type: "example_overlay", Target: "base", Cluster: "server", Sent: diagnostics.Sent{Body: "layer"},
	Arguments: diagnostics.Arguments{
		arguments.IgnoreFields: "leave", arguments.PinFields: "hold", arguments.Repin: "hold_again", arguments.ListLengths: "sizes",
		arguments.OnConflict: "clash",
	},
	Timeouts: diagnostics.Timeouts{Fixed: time.Minute},
}

// notAttributes are the fields of Names that name no attribute.
var notAttributes = []string{
	"Noun", "Type", "Target", "IsPatch", "Scope.Cluster", "Scope.Manager", "Reads.KnownInApply", "RuleOf", "PlanWithoutDryRun", "Timeouts.Fixed",
}

// unnamed are the arguments that no message names.
var unnamed = []string{arguments.DeletePropagation, arguments.IgnoreManagers, arguments.Wait}

// No message names an attribute that a resource does not have, whichever attributes it lacks, and the remaining text is
// a whole sentence: also if the resource has one more attribute than those that the message is about.
func TestNoMessageNamesAnAttributeThatIsNotThere(t *testing.T) {
	t.Parallel()
	names, seen := attributesOfManifest(t), map[string]bool{}
	for _, r := range everything() {
		for _, words := range resourcesWith(r.about) {
			for _, d := range r.build(words) {
				text := d.Summary() + "\n" + d.Detail()
				if seen[text] {
					continue
				}
				seen[text] = true
				if named := names.in(text); named != "" {
					t.Errorf("%s names %q, which the resource does not have:\n%s", r.method, named, text)
				}
				if at := hole.FindString(strings.ReplaceAll(text, "Into a set or out of one", "Into a set")); at != "" {
					t.Errorf("%s leaves a hole at %q:\n%s", r.method, at, text)
				}
			}
		}
	}
}

// resourcesWith returns the words of made-up resources that have some attributes.
func resourcesWith(about []string) []diagnostics.Names {
	least := only(about)
	written, patch := least, least
	written.Noun, written.Target = "data source", "its name"
	resources := []diagnostics.Names{least, written}
	if has(overlay, about) {
		resources = append(resources, overlay)
	}
	if slices.Contains(about, "Body") {
		patch.IsPatch = true
		resources = append(resources, patch)
	}
	for _, attribute := range attributes() {
		more := append(slices.Clone(about), attribute)
		if attribute == arguments.AdoptExisting || attribute == arguments.Successor { // Each resource with it has this, too.
			more = append(more, arguments.OnDestroy)
		}
		resources = append(resources, only(more))
	}
	return resources
}

// A message about an attribute calls it what the resource calls it.
func TestMessagesNameTheAttributesOfTheResource(t *testing.T) {
	t.Parallel()
	var texts strings.Builder
	words := only(attributes())
	for _, r := range everything() {
		for _, d := range r.build(words) {
			texts.WriteString(d.Detail() + "\n")
		}
	}
	for _, attribute := range attributes() {
		name := nameOf(words, attribute)
		if strings.Contains(texts.String(), name) == slices.Contains(unnamed, attribute) {
			t.Errorf("messages name %s, or none does", name)
		}
	}
}

// Every method of Names, and every function of the packages below that takes Names, is among everything. So the tests
// above see its sentences.
func TestEverythingIsBuilt(t *testing.T) {
	t.Parallel()
	built := map[string]bool{}
	for _, r := range everything() {
		built[r.method] = true
	}
	var methods []string
	for i := range reflect.TypeFor[diagnostics.Names]().NumMethod() {
		methods = append(methods, reflect.TypeFor[diagnostics.Names]().Method(i).Name)
	}
	parts := []string{"About", "Adding", "ByRule", "If", "IsSet", "Line", "Named", "Of", "TakeOver"}
	methods = slices.DeleteFunc(methods, func(name string) bool { return slices.Contains(parts, name) })
	methods = append(methods, functionsWithNames(t)...)
	if got := slices.Sorted(maps.Keys(built)); !slices.Equal(got, slices.Sorted(slices.Values(methods))) {
		t.Errorf("built are %q, and there are %q", got, methods)
	}
}

// functionsWithNames returns the exported functions of the packages below this one whose first parameter is Names.
func functionsWithNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			function, is := declared.(*ast.FuncDecl)
			if !is || function.Recv != nil || !function.Name.IsExported() || len(function.Type.Params.List) == 0 {
				continue
			}
			first, is := function.Type.Params.List[0].Type.(*ast.SelectorExpr)
			if is && first.Sel.Name == "Names" {
				found = append(found, parsed.Name.Name+"."+function.Name.Name)
			}
		}
	}
	return found
}

// The sentences take the names of attributes from Names. The attributes inside of a connection are those of each connection.
func TestNoTextNamesAnAttribute(t *testing.T) {
	t.Parallel()
	names := attributesOfManifest(t)
	files, err := filepath.Glob("*.go")
	rooms, inRooms := filepath.Glob("*/*.go")
	files = append(files, rooms...)
	if err != nil || inRooms != nil || len(rooms) < 2 || len(files) < 12 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "invalid/") { // What is invalid has one name.
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if _, is := node.(*ast.ImportSpec); is {
				return false
			}
			literal, is := node.(*ast.BasicLit)
			if !is || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if named := names.in(text); err != nil || named != "" {
				t.Errorf("%s: %s names the attribute %q of k8sconnect_manifest; take it from Names", set.Position(literal.Pos()), literal.Value, named)
			}
			return true
		})
	}
}

// hole is where a name is missing in a sentence.
var hole = regexp.MustCompile(strings.Join([]string{
	`\S  \S`, `\( `, `[^"] [.,;:]`, ` (\n|$)`, "``", `(^|\n)[.,;:]`,
	`(^|\n) *=`, `= *(\n|$)`, // An assignment lacks one side.
	`\n\n\n`, `:\s*$`, // A paragraph is missing.
	`\b(in|into|set|of|to|from) (=|and|or|in|into)\b`,
}, "|"))

// attributeNames finds names of attributes in a text.
type attributeNames struct{ names *regexp.Regexp }

// attributesOfManifest returns the names of the attributes and blocks of k8sconnect_manifest.
func attributesOfManifest(t *testing.T) attributeNames {
	t.Helper()
	var resp resource.SchemaResponse
	objectresource.NewManifest(nil).Schema(t.Context(), resource.SchemaRequest{}, &resp)
	var patterns []string
	for _, name := range slices.Concat(slices.Collect(maps.Keys(resp.Schema.Attributes)), slices.Collect(maps.Keys(resp.Schema.Blocks))) {
		pattern := `\b` + name + `\b`
		if slices.Contains([]string{"cluster", "id", "manifest", "values", "once", "ready", "wait"}, name) { // These names are also English words.
			pattern = "`" + name + "`|^" + name + "$|\\b" + name + `\.[a-z]`
		}
		patterns = append(patterns, pattern)
	}
	if len(patterns) < 15 {
		t.Fatalf("only %d attributes were found", len(patterns))
	}
	return attributeNames{regexp.MustCompile(strings.Join(patterns, "|"))}
}

// in returns the first name in a text. It ignores `cluster`, which the provider itself has.
func (n attributeNames) in(text string) string {
	return n.names.FindString(strings.ReplaceAll(text, "provider's `cluster`", ""))
}

// attributes are what [only] can name: the fields of Names that name an attribute, and the arguments.
var attributes = sync.OnceValue(func() []string {
	named := fieldsOf(reflect.TypeFor[diagnostics.Names](), "")
	for _, resource := range []string{arguments.ManifestResource, arguments.PatchResource, arguments.SetResource} {
		for _, argument := range arguments.Of(resource) {
			named = append(named, argument.Name)
		}
	}
	slices.Sort(named)
	return slices.Compact(named)
})

// fieldsOf returns the fields of a type that name an attribute, also those of its structs.
func fieldsOf(of reflect.Type, prefix string) []string {
	var fields []string
	for _, field := range reflect.VisibleFields(of) {
		name := prefix + field.Name
		switch {
		case field.Anonymous || slices.Contains(notAttributes, name):
		case field.Type.Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(field.Type, name+".")...)
		case field.Type.Kind() != reflect.Map:
			fields = append(fields, name)
		}
	}
	return fields
}

// only returns the words of a resource that has these attributes, under made-up names, and no others.
func only(named []string) diagnostics.Names {
	words := diagnostics.Names{Noun: "resource", Type: "example_thing", Arguments: diagnostics.Arguments{}}
	for _, attribute := range named {
		name := "my" + strings.ReplaceAll(attribute, ".", "")
		field := fieldOf(&words, attribute)
		switch {
		case field.IsValid():
			field.SetString(name)
		case slices.Contains(attributes(), attribute):
			words.Arguments[attribute] = name
		default:
			panic("no resource has " + attribute)
		}
	}
	return words
}

// has reports whether a resource has these attributes.
func has(words diagnostics.Names, named []string) bool {
	return !slices.ContainsFunc(named, func(attribute string) bool { return nameOf(words, attribute) == "" })
}

// nameOf returns the name of an attribute; "" without it.
func nameOf(words diagnostics.Names, attribute string) string {
	if field := fieldOf(&words, attribute); field.IsValid() {
		return field.String()
	}
	return words.Of(attribute)
}

// fieldOf returns the field that names an attribute; the zero value for an argument, and without such a field.
func fieldOf(words *diagnostics.Names, attribute string) reflect.Value {
	field := reflect.ValueOf(words).Elem()
	for part := range strings.SplitSeq(attribute, ".") {
		field = field.FieldByName(part)
	}
	return field
}

// A set has some arguments in its rules alone. Messages about them name them all the same, and none asks to taint a set.
func TestMessagesNameTheArgumentsOfRules(t *testing.T) {
	t.Parallel()
	words := diagnostics.OfResource(diagnostics.Names{Type: arguments.SetResource, Sent: diagnostics.Sent{Body: "manifests"}})
	id := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}
	patterns := []wanted.UnmatchedPattern{{Text: "data.a"}}
	inRules := &cluster.Error{
		Reason: cluster.ReasonInvalid, Object: id,
		Details: &cluster.InvalidError{Rules: []cluster.BrokenRule{{Rule: "self >= oldSelf"}}},
	}
	for want, d := range map[string]diag.Diagnostic{
		"one, run this command, then apply:\n\n  kubectl delete configmap/web -n shop": words.Error(diagnostics.Updated, id, inRules),
		`matches "data.a" in ignore_fields.`:                                           words.Unmatched(id, patterns),
		`matches "data.a" in sensitive_fields,`:                                        words.UnmatchedSensitive(id, patterns),
	} {
		if !strings.Contains(d.Detail(), want) || strings.Contains(d.Detail(), "taint") || strings.Contains(d.Detail(), "-replace") {
			t.Errorf("%q is not in:\n%s", want, d.Detail())
		}
	}
}
