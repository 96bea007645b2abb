package architecture

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// How large the packages and types of the product may be, without tests.
const (
	mostImports = 15
	mostMethods = 40
)

// registers are the packages that only list what other packages make: each resource is an import of its own.
var registers = []string{"internal/terraform/provider"}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, sentence := range oversized(readModule(t)) {
		t.Error(sentence)
	}
}

func TestOversized(t *testing.T) {
	t.Parallel()
	importing := func(folder string, n int) source {
		s := source{folder: folder, imports: []string{"fmt", module + "/internal/a0"}}
		for i := range n {
			s.imports = append(s.imports, fmt.Sprint(module, "/internal/a", i))
		}
		return s
	}
	got := oversized([]source{
		{folder: "internal/long", methods: slices.Repeat([]string{"Model"}, 20)},
		{folder: "internal/long", methods: slices.Repeat([]string{"Model"}, 21)},
		{folder: "internal/full", methods: slices.Repeat([]string{"Model"}, 40)},
		{folder: "internal/full", methods: []string{"Model"}, test: true},
		importing("internal/wide", 16),
		importing("internal/terraform/provider", 30),
		importing("internal/full", 15),
	})
	want := []string{
		"internal/wide imports 16 packages of the module, and may import 15: let one of them do more, or cut the package by subject",
		"internal/long.Model has 41 methods, and may have 40: cut the type by subject",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("oversized (-want +got):\n%s", diff)
	}
}

// oversized returns a sentence for each package or type of the product that is larger than it may be.
func oversized(sources []source) []string {
	methods, imports := map[string]int{}, map[string]map[string]bool{}
	for _, s := range sources {
		if s.test || strings.HasPrefix(s.folder, "internal/test/") {
			continue
		}
		for _, of := range s.methods {
			methods[s.folder+"."+of]++
		}
		for _, imported := range s.imports {
			if strings.HasPrefix(imported, module+"/") {
				if imports[s.folder] == nil {
					imports[s.folder] = map[string]bool{}
				}
				imports[s.folder][imported] = true
			}
		}
	}
	var found []string
	for _, folder := range slices.Sorted(maps.Keys(imports)) {
		if n := len(imports[folder]); n > mostImports && !slices.Contains(registers, folder) {
			found = append(found, fmt.Sprintf(
				"%s imports %d packages of the module, and may import %d: let one of them do more, or cut the package by subject", folder, n, mostImports))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		if n := methods[name]; n > mostMethods {
			found = append(found, fmt.Sprintf("%s has %d methods, and may have %d: cut the type by subject", name, n, mostMethods))
		}
	}
	return found
}

// methodsIn returns the name of the type of each method of a file.
func methodsIn(file *ast.File) []string {
	var types []string
	for _, declaration := range file.Decls {
		function, is := declaration.(*ast.FuncDecl)
		if !is || function.Recv == nil {
			continue
		}
		of := function.Recv.List[0].Type
		if pointer, is := of.(*ast.StarExpr); is {
			of = pointer.X
		}
		switch generic := of.(type) {
		case *ast.IndexExpr:
			of = generic.X
		case *ast.IndexListExpr:
			of = generic.X
		}
		if name, is := of.(*ast.Ident); is {
			types = append(types, name.Name)
		}
	}
	return types
}
