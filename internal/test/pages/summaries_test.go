package pages_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
)

// The page on troubleshooting has a section for each error and each warning that the provider can print, and for no other.
func TestTroubleshootingHasEverySummary(t *testing.T) {
	t.Parallel()
	page := pages.Read(t, filepath.Join(pages.Root, "templates", "guides", "troubleshooting.md.tmpl"))
	var told []string
	for _, match := range section.FindAllStringSubmatch(page, -1) {
		told = append(told, match[1])
	}
	slices.Sort(told)
	if diff := cmp.Diff(summaries(t), told); diff != "" {
		t.Errorf("the sections of the page differ from the summaries in the code (-code +page):\n%s", diff)
	}
}

// section is the heading of a section about one summary.
var section = regexp.MustCompile(`(?m)^### (.*)$`)

// framework are the framework's functions that take a summary, by name, with the index of the argument.
var framework = map[string]int{
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"About": 0, // It adds the object to a summary, also for the packages below diagnostics.
}

// summaries returns the summaries of all errors and warnings in the provider's source.
func summaries(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	folders := map[string][]string{}
	for _, file := range pages.Files(t, filepath.Join(pages.Root, "internal", "terraform"), ".go") {
		if !strings.HasSuffix(file, "_test.go") {
			folders[filepath.Dir(file)] = append(folders[filepath.Dir(file)], file)
		}
	}
	for _, files := range folders {
		p := newSource(t, files)
		for _, text := range p.summaries(t) {
			found[text] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// source is a package: its files, the texts that a constant, a variable or a field of some name can have, and the functions
// that take a summary, as framework has them.
type source struct {
	set    *token.FileSet
	files  []*ast.File
	texts  map[string][]string
	taking map[string]int
}

func newSource(t *testing.T, files []string) source {
	t.Helper()
	p := source{set: token.NewFileSet(), texts: map[string][]string{}, taking: maps.Clone(framework)}
	for _, file := range files {
		parsed, err := parser.ParseFile(p.set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, parsed)
		ast.Inspect(parsed, func(node ast.Node) bool {
			p.note(node)
			return true
		})
	}
	return p
}

// note records the texts that a declaration, an assignment or an explanation gives to a name, and the functions with a
// summary as first parameter.
func (p source) note(node ast.Node) {
	switch node := node.(type) {
	case *ast.FuncDecl:
		if parameters := node.Type.Params.List; len(parameters) > 0 && len(parameters[0].Names) > 0 && parameters[0].Names[0].Name == "summary" {
			p.taking[node.Name.Name] = 0
		}
	case *ast.ValueSpec:
		for i, value := range node.Values {
			p.give(node.Names[i].Name, value)
		}
	case *ast.AssignStmt:
		for i, left := range node.Lhs {
			if name, ok := left.(*ast.Ident); ok && i < len(node.Rhs) {
				p.give(name.Name, node.Rhs[i])
			}
		}
	case *ast.KeyValueExpr:
		// A row of explanations: its first element is the field summary.
		if row, ok := node.Value.(*ast.CompositeLit); ok && row.Type == nil && len(row.Elts) == 2 {
			p.give("summary", row.Elts[0])
		}
		if name, ok := node.Key.(*ast.Ident); ok && name.Name == "summary" {
			p.give("summary", node.Value)
		}
	}
}

func (p source) give(name string, value ast.Expr) {
	if text, ok := literal(value); ok {
		p.texts[name] = append(p.texts[name], text)
	}
}

func literal(value ast.Expr) (text string, ok bool) {
	basic, ok := value.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}

// summaries returns those that calls in the package pass on. A call whose summary cannot be found fails the test, so that no
// new form of call goes unseen.
func (p source) summaries(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, file := range p.files {
		ast.Inspect(file, func(node ast.Node) bool {
			if function, ok := node.(*ast.FuncDecl); ok {
				_, passesOn := p.taking[function.Name.Name]
				return !passesOn
			}
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			index, takes := p.taking[called(call)]
			if !takes || len(call.Args) <= index {
				return true
			}
			texts, ok := p.textsOf(call.Args[index])
			if !ok {
				t.Errorf("%s: the summary of this diagnostic cannot be found", p.set.Position(call.Pos()))
			}
			found = append(found, texts...)
			return true
		})
	}
	return found
}

// called returns the name of the function that is called.
func called(call *ast.CallExpr) string {
	switch function := call.Fun.(type) {
	case *ast.Ident:
		return function.Name
	case *ast.SelectorExpr:
		return function.Sel.Name
	default:
		return ""
	}
}

// textsOf returns the texts that an argument can have; none if another call decides it.
func (p source) textsOf(argument ast.Expr) (texts []string, ok bool) {
	if text, ok := literal(argument); ok {
		return []string{text}, true
	}
	name := ""
	switch argument := argument.(type) {
	case *ast.Ident:
		name = argument.Name
	case *ast.SelectorExpr:
		name = argument.Sel.Name
	case *ast.CallExpr:
		_, takes := p.taking[called(argument)]
		return nil, takes
	}
	return p.texts[name], len(p.texts[name]) > 0
}
