package architecture

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
)

// mostInLoop is how many files of a package may refer to each other in a circle. To change one of them, one has to know all of
// them.
const mostInLoop = 8

// loadModule returns the packages with their types, tests aside: with -short, those of the product, and otherwise also those of
// the programs and of the harness, which are imported compiled, as everything that they import.
var loadModule = sync.OnceValues(func() ([]*packages.Package, error) {
	var product []string
	for _, floor := range floors {
		product = append(product, "./internal/"+floor+"/...")
	}
	if testing.Short() {
		return load(".", product...)
	}
	found, err := load(".", "./internal/...")
	if err != nil {
		return nil, err
	}
	plot, err := load("internal/cmd/bench/plot", ".")
	return append(found, plot...), err
})

// load returns packages of the module in a folder.
func load(folder string, patterns ...string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
		Dir:  filepath.Join("..", "..", "..", folder),
	}, patterns...)
}

func TestNoLongLoops(t *testing.T) {
	t.Parallel()
	found, err := loadModule()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, pkg := range found {
		name := strings.TrimPrefix(pkg.PkgPath, module+"/internal/")
		if len(pkg.Errors) > 0 {
			t.Fatalf("%s: %v", name, pkg.Errors)
		}
		if strings.HasPrefix(name, "test/") || strings.HasPrefix(name, "cmd/") {
			continue
		}
		seen++
		for _, loop := range loops(referencesIn(pkg)) {
			if len(loop) > mostInLoop {
				t.Errorf("%s: %d files refer to each other in a circle, and %d may: %s", name, len(loop), mostInLoop, strings.Join(loop, ", "))
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d packages were read", seen)
	}
}

// referencesIn returns which files of a package name something that another one declares.
func referencesIn(pkg *packages.Package) map[string][]string {
	references := map[string][]string{}
	for _, file := range pkg.Syntax {
		from := filepath.Base(pkg.Fset.Position(file.Pos()).Filename)
		for node := range ast.Preorder(file) {
			name, is := node.(*ast.Ident)
			if !is {
				continue
			}
			named := pkg.TypesInfo.Uses[name]
			if named == nil || named.Pkg() != pkg.Types || !named.Pos().IsValid() {
				continue
			}
			if to := filepath.Base(pkg.Fset.Position(named.Pos()).Filename); to != from && !slices.Contains(references[from], to) {
				references[from] = append(references[from], to)
			}
		}
	}
	return references
}

// loops returns the strongly connected components of the references, by Tarjan's algorithm. Names are sorted.
func loops(references map[string][]string) [][]string {
	var found [][]string
	var stack []string
	index, low := map[string]int{}, map[string]int{}
	var visit func(name string)
	visit = func(name string) {
		index[name] = len(index) + 1
		low[name] = index[name]
		stack = append(stack, name)
		for _, next := range references[name] {
			if index[next] == 0 {
				visit(next)
			}
			if slices.Contains(stack, next) {
				low[name] = min(low[name], low[next])
			}
		}
		if low[name] == index[name] {
			at := slices.Index(stack, name)
			loop := slices.Sorted(slices.Values(stack[at:]))
			stack = stack[:at]
			if len(loop) > 1 {
				found = append(found, loop)
			}
		}
	}
	for name := range references {
		if index[name] == 0 {
			visit(name)
		}
	}
	return found
}

func TestLoops(t *testing.T) {
	t.Parallel()
	got := loops(map[string][]string{"a": {"b"}, "b": {"c", "e"}, "c": {"a"}, "d": {"a", "f"}, "e": nil, "f": {"d"}})
	slices.SortFunc(got, slices.Compare)
	if diff := cmp.Diff([][]string{{"a", "b", "c"}, {"d", "f"}}, got); diff != "" {
		t.Errorf("loops (-want +got):\n%s", diff)
	}
}
