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
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/manifestresource"
)

// manifestWords are the words of k8sconnect_manifest.
var manifestWords = diagnostics.Names{
	Noun: "resource", Type: "k8sconnect_manifest", Body: "yaml_body", WriteOnlyBody: "yaml_body_wo", AdoptExisting: "adopt_existing",
	Cluster: "cluster", DeleteProtection: "delete_protection", FieldManager: "field_manager", ForceDestroy: "force_destroy",
	IgnoreFields: "ignore_fields", PinFields: "pin_fields", Repin: "repin", ListLengths: "list_lengths", OnConflict: "on_conflict", OnDestroy: "on_destroy", Once: "once", Successor: "successor", SensitiveFields: "sensitive_fields", WriteOnlyVersion: "yaml_body_wo_version",
	TakeOverManagers: "take_over_managers", FieldOwnership: "field_ownership", ManagedState: "managed_state", Timeouts: "timeouts",
}

// overlay are the words of a made-up resource, which has other names for its attributes, and fewer of them.
var overlay = diagnostics.Names{
	Noun: "overlay", Type: "example_overlay", Target: "base", Body: "layer", Cluster: "server", IgnoreFields: "leave", PinFields: "hold", Repin: "hold_again", ListLengths: "sizes", OnConflict: "clash",
	FixedTimeout: time.Minute,
}

// notAttributes are the fields of Names that name no attribute.
var notAttributes = []string{"Noun", "Type", "Target", "ByManager", "OnCluster", "KnownInApply", "IsSet", "IgnoredByRule", "FixedTimeout", "RuleOf", "PlanWithoutDryRun"}

// No message names an attribute that a resource does not have, whichever attributes it lacks, and the remaining text is
// a whole sentence.
func TestNoMessageNamesAnAttributeThatIsNotThere(t *testing.T) {
	t.Parallel()
	names := attributesOfManifest(t)
	for _, r := range everything() {
		least := only(r.about)
		written := least
		written.Noun, written.Target = "data source", "its name"
		resources := []diagnostics.Names{least, written}
		if has(overlay, r.about) {
			resources = append(resources, overlay)
		}
		for _, words := range resources {
			for _, d := range r.build(words) {
				text := d.Summary() + "\n" + d.Detail()
				if named := names.in(text); named != "" {
					t.Errorf("%s names %q, which the resource does not have:\n%s", r.method, named, text)
				}
				if at := hole.FindString(text); at != "" {
					t.Errorf("%s leaves a hole at %q:\n%s", r.method, at, text)
				}
			}
		}
	}
}

// A message about an attribute calls it what the resource calls it.
func TestMessagesNameTheAttributesOfTheResource(t *testing.T) {
	t.Parallel()
	var texts strings.Builder
	words := only(attributeFields())
	for _, r := range everything() {
		for _, d := range r.build(words) {
			texts.WriteString(d.Detail() + "\n")
		}
	}
	for _, field := range attributeFields() {
		if name := reflect.ValueOf(words).FieldByName(field).String(); !strings.Contains(texts.String(), name) {
			t.Errorf("no message names %s", name)
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
	parts := []string{"About", "ByRule", "IgnoreLine", "Ignoring", "Removing", "TakeOver"}
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
	manifestresource.New(nil).Schema(t.Context(), resource.SchemaRequest{}, &resp)
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

// attributeFields returns the fields of Names that name an attribute.
func attributeFields() []string {
	var fields []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[diagnostics.Names]()) {
		if !slices.Contains(notAttributes, field.Name) {
			fields = append(fields, field.Name)
		}
	}
	return fields
}

// only returns the words of a resource that has these attributes, under made-up names, and no others.
func only(fields []string) diagnostics.Names {
	words := diagnostics.Names{Noun: "resource", Type: "example_thing"}
	for _, field := range fields {
		reflect.ValueOf(&words).Elem().FieldByName(field).SetString("my" + field)
	}
	return words
}

// has reports whether a resource has these attributes.
func has(words diagnostics.Names, fields []string) bool {
	return !slices.ContainsFunc(fields, func(field string) bool {
		return reflect.ValueOf(words).FieldByName(field).String() == ""
	})
}
