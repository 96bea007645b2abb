package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// makers are the functions of the plugin framework that make a diagnostic.
var makers = []string{
	"NewErrorDiagnostic", "NewWarningDiagnostic", "NewAttributeErrorDiagnostic", "NewAttributeWarningDiagnostic",
	"AddError", "AddWarning", "AddAttributeError", "AddAttributeWarning",
}

// diagnosticsIn returns the functions of makers that a file calls.
func diagnosticsIn(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, is := n.(*ast.SelectorExpr); is && slices.Contains(makers, selector.Sel.Name) {
			found = append(found, selector.Sel.Name)
		}
		return true
	})
	return found
}

// strayDiagnostics returns a sentence for each diagnostic that a file of the product makes outside of package
// diagnostics and the packages below it.
func strayDiagnostics(sources []source) []string {
	const home = "internal/terraform/diagnostics"
	var found []string
	for _, s := range sources {
		if s.test || !strings.HasPrefix(s.folder, "internal/terraform/") || s.folder == home || strings.HasPrefix(s.folder, home+"/") {
			continue
		}
		for _, maker := range s.diagnostics {
			found = append(found, s.file+" calls "+maker+": add a function to "+home)
		}
	}
	return found
}

func TestDiagnosticsAreMadeInOnePlace(t *testing.T) {
	t.Parallel()
	for _, sentence := range strayDiagnostics(readModule(t)) {
		t.Error(sentence)
	}
}

// TestStrayDiagnostics checks that the rule can fail.
func TestStrayDiagnostics(t *testing.T) {
	t.Parallel()
	text := "package a\n\nfunc f() { diags.AddError(a, b); diag.NewErrorDiagnostic(a, b) }\n"
	parsed, err := parser.ParseFile(token.NewFileSet(), "a.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	in := func(folder string, test bool) source {
		return source{file: folder + "/a.go", folder: folder, test: test, diagnostics: diagnosticsIn(parsed)}
	}
	got := strayDiagnostics([]source{
		in("internal/terraform/objectkit", false), in("internal/terraform/objectkit", true), in("internal/test/twins", false),
		in("internal/terraform/diagnostics", false), in("internal/terraform/diagnostics/invalid", false),
	})
	want := []string{
		"internal/terraform/objectkit/a.go calls AddError: add a function to internal/terraform/diagnostics",
		"internal/terraform/objectkit/a.go calls NewErrorDiagnostic: add a function to internal/terraform/diagnostics",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stray (-want +got):\n%s", diff)
	}
}
