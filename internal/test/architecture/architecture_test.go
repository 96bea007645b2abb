package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	sources := readModule(t)
	if len(sources) < 50 {
		t.Fatalf("only %d files were found", len(sources))
	}
	for _, source := range sources {
		for _, violation := range violations(layers, source) {
			t.Error(violation)
		}
	}
}

// TestFloors checks that no rule lets a package import one of a higher floor.
func TestFloors(t *testing.T) {
	t.Parallel()
	floorOf := func(name string) int {
		folder, _, _ := strings.Cut(name, "/")
		return slices.Index(floors, folder)
	}
	for _, name := range slices.Sorted(maps.Keys(layers)) {
		floor := floorOf(name)
		if floor < 0 && !hasStories(name) && !slices.Contains([]string{".", "conformance"}, name) {
			t.Errorf("%s is on no floor", name)
		}
		for _, imported := range layers[name].imports {
			if above := floorOf(imported); floor >= 0 && above > floor {
				t.Errorf("%s may import %s, which is on the floor %s above", name, imported, floors[above])
			}
		}
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	own := func(name string) string { return module + "/internal/" + name }
	tests := map[string]struct {
		source source
		want   []string
	}{
		"a package may import what lies below it": {
			source: source{file: "internal/object/ssa/a.go", folder: "internal/object/ssa", imports: []string{own("fields/paths"), "context", "k8s.io/apimachinery/pkg/util/wait"}},
		},
		"a lower package does not import a higher one": {
			source: source{file: "internal/fields/paths/a.go", folder: "internal/fields/paths", imports: []string{own("object/ssa")}},
			want:   []string{"internal/fields/paths/a.go imports object/ssa, which fields/paths may not"},
		},
		"packages side by side do not know each other": {
			source: source{file: "internal/fields/ownership/a.go", folder: "internal/fields/ownership", imports: []string{own("fields/projection")}},
			want:   []string{"internal/fields/ownership/a.go imports fields/projection, which fields/ownership may not"},
		},
		"the core knows no Terraform": {
			source: source{file: "internal/object/ssa/a.go", folder: "internal/object/ssa", imports: []string{"github.com/hashicorp/terraform-plugin-framework/diag"}},
			want:   []string{"internal/object/ssa/a.go imports github.com/hashicorp/terraform-plugin-framework/diag, which object/ssa may not"},
		},
		"the use cases know no client library": {
			source: source{file: "internal/object/ssa/a.go", folder: "internal/object/ssa", imports: []string{"k8s.io/client-go/rest"}},
			want:   []string{"internal/object/ssa/a.go imports k8s.io/client-go/rest, which object/ssa may not"},
		},
		"a patch knows the types of the built-in kinds, and no client": {
			source: source{file: "internal/object/patches/a.go", folder: "internal/object/patches", imports: []string{"k8s.io/client-go/kubernetes/scheme", "k8s.io/client-go/kubernetes"}},
			want:   []string{"internal/object/patches/a.go imports k8s.io/client-go/kubernetes, which object/patches may not"},
		},
		"the core knows no network, and net/url is not one": {
			source: source{file: "internal/fields/projection/a.go", folder: "internal/fields/projection", imports: []string{"net/http", "net/url"}},
			want:   []string{"internal/fields/projection/a.go imports net/http, which fields/projection may not"},
		},
		"the core has no clock": {
			source: source{file: "internal/fields/ownership/a.go", folder: "internal/fields/ownership", imports: []string{"time"}, clock: []string{"Now"}},
			want:   []string{"internal/fields/ownership/a.go calls time.Now, which fields/ownership may not"},
		},
		"the client knows nothing of the provider": {
			source: source{file: "internal/cluster/kube/a.go", folder: "internal/cluster/kube", imports: []string{own("terraform/providerdata"), own("cluster")}},
			want:   []string{"internal/cluster/kube/a.go imports terraform/providerdata, which cluster/kube may not"},
		},
		"a connection does not know the client that uses it": {
			source: source{file: "internal/cluster/kube/connect/a.go", folder: "internal/cluster/kube/connect", imports: []string{own("cluster/kube")}},
			want:   []string{"internal/cluster/kube/connect/a.go imports cluster/kube, which cluster/kube/connect may not"},
		},
		"schemas are read without the client's other parts": {
			source: source{file: "internal/cluster/kube/openapi/a.go", folder: "internal/cluster/kube/openapi", imports: []string{own("cluster/kube"), own("cluster/kube/connect"), own("cluster")}},
			want: []string{
				"internal/cluster/kube/openapi/a.go imports cluster/kube, which cluster/kube/openapi may not",
				"internal/cluster/kube/openapi/a.go imports cluster/kube/connect, which cluster/kube/openapi may not",
			},
		},
		"a resource does not reach past its use cases to the client": {
			source: source{file: "internal/terraform/objectresource/a.go", folder: "internal/terraform/objectresource", imports: []string{own("cluster/kube")}},
			want:   []string{"internal/terraform/objectresource/a.go imports cluster/kube, which terraform/objectresource may not"},
		},
		"the control plane is for tests and the demo": {
			source: source{file: "internal/cluster/kube/a.go", folder: "internal/cluster/kube", imports: []string{own("test/testcluster")}},
			want:   []string{"internal/cluster/kube/a.go imports test/testcluster, which cluster/kube may not"},
		},
		"a test may start the control plane": {
			source: source{file: "internal/cluster/kube/a_test.go", folder: "internal/cluster/kube", test: true, imports: []string{own("test/testcluster"), "testing"}},
		},
		"the harness of the stories is for tests": {
			source: source{file: "internal/terraform/objectresource/a.go", folder: "internal/terraform/objectresource", imports: []string{own("test/story")}},
			want:   []string{"internal/terraform/objectresource/a.go imports test/story, which terraform/objectresource may not"},
		},
		"the harness of the stories holds tests and starts the control plane": {
			source: source{file: "internal/test/story/a.go", folder: "internal/test/story", imports: []string{own("test/testcluster"), own("terraform/serve"), "testing", "time"}, clock: []string{"Now"}},
		},
		"the harness of the stories sees the provider from outside": {
			source: source{file: "internal/test/story/a.go", folder: "internal/test/story", imports: []string{own("object/ssa"), own("terraform/objectresource")}},
			want: []string{
				"internal/test/story/a.go imports object/ssa, which test/story may not",
				"internal/test/story/a.go imports terraform/objectresource, which test/story may not",
			},
		},
		"stories are tests, which import the harness": {
			source: source{file: "internal/test/acceptance/release_a_test.go", folder: "internal/test/acceptance", test: true, imports: []string{own("test/story"), "testing"}},
		},
		"no story lies beside a package of the provider": {
			source: source{file: "internal/terraform/functions/a_test.go", folder: "internal/terraform/functions", test: true, imports: []string{own("test/story")}},
			want:   []string{"internal/terraform/functions/a_test.go tells a story, which belongs to internal/test/acceptance"},
		},
		"set algebra comes through one file": {
			source: source{file: "internal/fields/paths/walk.go", folder: "internal/fields/paths", imports: []string{"sigs.k8s.io/structured-merge-diff/v4/fieldpath"}},
			want:   []string{"internal/fields/paths/walk.go imports sigs.k8s.io/structured-merge-diff/v4/fieldpath, which only internal/fields/paths/fieldpath.go may"},
		},
		"set algebra comes through one file in tests too, whatever its version": {
			source: source{file: "internal/object/ssa/a_test.go", folder: "internal/object/ssa", test: true, imports: []string{"sigs.k8s.io/structured-merge-diff/v6/fieldpath"}},
			want:   []string{"internal/object/ssa/a_test.go imports sigs.k8s.io/structured-merge-diff/v6/fieldpath, which only internal/fields/paths/fieldpath.go may"},
		},
		"a new package needs a rule": {
			source: source{file: "internal/shared/a.go", folder: "internal/shared"},
			want:   []string{"internal/shared/a.go is in a package without a rule"},
		},
		"a new package outside of internal needs a rule": {
			source: source{file: "pkg/a.go", folder: "pkg"},
			want:   []string{"pkg/a.go is in a package without a rule"},
		},
		"the testing package stays in tests": {
			source: source{file: "internal/manifests/manifest/a.go", folder: "internal/manifests/manifest", imports: []string{"testing"}},
			want:   []string{"internal/manifests/manifest/a.go imports testing and is no test"},
		},
		"the main package only serves the provider": {
			source: source{file: "main.go", folder: ".", imports: []string{own("cluster/kube"), own("terraform/serve")}},
			want:   []string{"main.go imports cluster/kube, which . may not"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, violations(layers, tt.source)); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReadSource tests the reader of the sources: if it found none, no rule could fail.
func TestReadSource(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	text := "package a\n\nimport (\n\tclock \"time\"\n\n\t_ \"net/http\"\n)\n\nvar now = clock.Now\n\ntype size int\n\nfunc (s *size) now() {}\n\ntype pair struct {\n\tclock.Time\n\ta, b bool\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readSource(file, "internal/a/a.go")
	if err != nil {
		t.Fatal(err)
	}
	want := source{
		file: "internal/a/a.go", folder: "internal/a", pkg: "a", imports: []string{"time", "net/http"}, clock: []string{"Now"},
		names: []string{"now", "size", "pair"}, methods: []string{"size"}, structs: []structure{{"pair", 3, 2}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(source{}, structure{})); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
}

// readModule returns every Go file of the module, whatever its build constraints, and of the modules below internal that its
// tests and programs have. Other folders with a go.mod are tools, and servers that the tests build.
func readModule(t *testing.T) []source {
	t.Helper()
	sources, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

var readSources = sync.OnceValues(func() ([]source, error) {
	root := filepath.Join("..", "..", "..")
	var sources []source
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			_, noModule := os.Stat(filepath.Join(file, "go.mod"))
			slashed := filepath.ToSlash(name)
			others := noModule == nil && (!strings.HasPrefix(slashed, "internal/") || strings.HasPrefix(slashed, "internal/test/testcluster/servers/"))
			hidden := strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"
			if name != "." && (hidden || others) {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") {
			read, err := readSource(file, filepath.ToSlash(name))
			if err != nil {
				return err
			}
			sources = append(sources, read)
		}
		return nil
	})
	return sources, err
})

func readSource(file, name string) (source, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	read := source{
		file: name, folder: path.Dir(name), pkg: parsed.Name.Name, test: strings.HasSuffix(name, "_test.go"),
		names: namesIn(parsed), methods: methodsIn(parsed), structs: structsIn(parsed),
	}
	timePackage := ""
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		read.imports = append(read.imports, imported)
		if imported == "time" {
			timePackage = "time"
			if spec.Name != nil {
				timePackage = spec.Name.Name
			}
		}
	}
	asking := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	ast.Inspect(parsed, func(n ast.Node) bool {
		selector, is := n.(*ast.SelectorExpr)
		if !is {
			return true
		}
		of, is := selector.X.(*ast.Ident)
		if is && timePackage != "" && of.Name == timePackage && slices.Contains(asking, selector.Sel.Name) {
			read.clock = append(read.clock, selector.Sel.Name)
		}
		return true
	})
	read.diagnostics = diagnosticsIn(parsed)
	return read, nil
}

// namesIn returns the names that a file declares for its package.
func namesIn(file *ast.File) []string {
	var names []string
	for _, declaration := range file.Decls {
		switch declared := declaration.(type) {
		case *ast.FuncDecl:
			if declared.Recv == nil {
				names = append(names, declared.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}
