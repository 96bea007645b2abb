package architecture

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Limits of the product that a noun that is missing exceeds.
const (
	mostBools  = 3
	mostFields = 20
	// mostLarge is how many structs may have more fields: the attributes of a resource, those of a data source, and the
	// names of all attributes.
	mostLarge = 3
)

// single are the packages that have one file, with the reason.
var single = map[string]string{
	"internal/cluster/kube/openapi/command": "a command line, which only the main package may import",
	"internal/report/command":               "a command line, which only the main package may import",
	"internal/terraform/secrecy":            "a port's adapter; objectkit, which uses it, may import no more packages",
}

func TestNouns(t *testing.T) {
	t.Parallel()
	for _, sentence := range withoutNouns(readModule(t)) {
		t.Error(sentence)
	}
}

func TestWithoutNouns(t *testing.T) {
	t.Parallel()
	large := []structure{{"A", 21, 3}, {"B", 22, 4}, {"C", 23, 0}, {"D", 20, 0}}
	got := withoutNouns([]source{
		{folder: "internal/fields/one", file: "internal/fields/one/doc.go"},
		{folder: "internal/fields/one", file: "internal/fields/one/a.go"},
		{folder: "internal/fields/one", file: "internal/fields/one/a_test.go", test: true, structs: []structure{{"T", 30, 9}}},
		{folder: "internal/fields/two", file: "internal/fields/two/a.go", structs: large},
		{folder: "internal/fields/two", file: "internal/fields/two/b.go"},
		{folder: "internal/report/command", file: "internal/report/command/a.go", structs: []structure{{"E", 21, 0}}},
		{folder: "internal/cmd/one", file: "internal/cmd/one/a.go", structs: large},
		{folder: "internal/test/one", file: "internal/test/one/a.go", structs: large},
	})
	want := []string{
		"internal/fields/two.B has 4 bools, and may have 3",
		"internal/fields/one has one file: it belongs to a package that imports it",
		"3 structs may have more than 20 fields, and internal/fields/two.A, internal/fields/two.B, internal/fields/two.C, internal/report/command.E have",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without nouns (-want +got):\n%s", diff)
	}
}

// withoutNouns returns a sentence for each struct whose bools exclude each other, or whose fields go together, more than may be,
// and for each package that is not more than one idea of another one.
func withoutNouns(sources []source) []string {
	files := map[string]int{}
	var found, large []string
	for _, s := range sources {
		floor, _, _ := strings.Cut(strings.TrimPrefix(s.folder, "internal/"), "/")
		if s.test || path.Base(s.file) == "doc.go" || !slices.Contains(floors, floor) {
			continue
		}
		files[s.folder]++
		for _, of := range s.structs {
			name := s.folder + "." + of.name
			if of.bools > mostBools {
				found = append(found, fmt.Sprintf("%s has %d bools, and may have %d", name, of.bools, mostBools))
			}
			if of.fields > mostFields {
				large = append(large, name)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		if files[folder] == 1 && single[folder] == "" {
			found = append(found, folder+" has one file: it belongs to a package that imports it")
		}
	}
	if len(large) > mostLarge {
		found = append(found, fmt.Sprintf("%d structs may have more than %d fields, and %s have", mostLarge, mostFields, strings.Join(large, ", ")))
	}
	return found
}

// structure is a struct type. An embedded struct counts as one of its fields.
type structure struct {
	name          string
	fields, bools int
}

// structsIn returns the struct types of a file.
func structsIn(file *ast.File) []structure {
	var all []structure
	for node := range ast.Preorder(file) {
		declared, is := node.(*ast.TypeSpec)
		if !is {
			continue
		}
		of, is := declared.Type.(*ast.StructType)
		if !is {
			continue
		}
		found := structure{name: declared.Name.Name}
		for _, field := range of.Fields.List {
			n := max(1, len(field.Names))
			found.fields += n
			if kind, is := field.Type.(*ast.Ident); is && kind.Name == "bool" {
				found.bools += n
			}
		}
		all = append(all, found)
	}
	return all
}
