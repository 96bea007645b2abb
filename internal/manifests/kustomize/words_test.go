package kustomize

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write words.txt")

// inStrings matches the words of a string.
var inStrings = regexp.MustCompile(`[A-Za-z]{2,}`)

// sources are the packages whose errors kustomize passes on, besides its own.
var sources = []string{"go.yaml.in/yaml/v3", "sigs.k8s.io/yaml", "gopkg.in/evanphx/json-patch.v4", "github.com/go-errors/errors"}

// ofGo are words of errors of the system and of Go's own packages.
const ofGo = "no such file or directory is a directory permission denied too many levels of symbolic links open lstat stat read " +
	"json cannot unmarshal string array object number bool null into Go struct field value of type unknown invalid character looking for beginning " +
	"after top-level object key pair in literal unexpected end of JSON input strconv parsing syntax range base64 illegal data at input byte"

// What kustomize says is what its source has as strings. After an update of kustomize, run go test ./internal/manifests/kustomize -run TestWords -update.
func TestWords(t *testing.T) {
	t.Parallel()
	words := map[string]bool{}
	for _, module := range []string{"sigs.k8s.io/kustomize/api", "sigs.k8s.io/kustomize/kyaml"} {
		collect(t, words, goList(t, "-m", "-f", "{{.Dir}}", module))
	}
	for _, folder := range strings.Fields(goList(t, append([]string{"-f", "{{.Dir}}"}, sources...)...)) {
		collect(t, words, folder)
	}
	for _, word := range strings.Fields(ofGo) {
		words[word] = true
	}
	text := strings.Join(slices.Sorted(maps.Keys(words)), "\n") + "\n"
	if *update {
		if err := os.WriteFile("words.txt", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(wordsText, text); diff != "" {
		t.Errorf("words.txt (-is +should be):\n%s", diff)
	}
}

func goList(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// collect adds the words of all strings below a folder, and the names of packages and types, its tests and data aside.
func collect(t *testing.T, words map[string]bool, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"testdata", "kubernetesapi", "kustomizationapi", "example", "testutil", "testutils", "goyaml.v2", "goyaml.v3"}, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		words[file.Name.Name] = true
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, is := node.(*ast.BasicLit); is && literal.Kind == token.STRING && len(literal.Value) < 600 {
				text, _ := strconv.Unquote(literal.Value)
				for _, word := range inStrings.FindAllString(text, -1) {
					words[word] = true
				}
			}
			if declared, is := node.(*ast.TypeSpec); is {
				words[declared.Name.Name] = true
			}
			_, isImport := node.(*ast.ImportSpec)
			return !isImport
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
