package architecture

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLicencesAreListed compares the modules of the program with THIRD_PARTY_LICENSES.md.
func TestLicencesAreListed(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(readText(t, "../../../THIRD_PARTY_LICENSES.md"), -1) {
		listed = append(listed, row[1])
	}
	var modules []string
	for _, system := range []string{"darwin", "freebsd", "linux", "windows"} {
		modules = append(modules, goList(t, "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "GOOS="+system)...)
	}
	if len(modules) < 20 {
		t.Fatalf("only %d modules were found", len(modules))
	}
	within := func(module string) func(string) bool {
		return func(listed string) bool { return listed == module || strings.HasPrefix(listed, module+"/") }
	}
	for _, module := range modules {
		if !slices.ContainsFunc(listed, within(module)) {
			t.Errorf("THIRD_PARTY_LICENSES.md lacks %s; make licences writes it", module)
		}
	}
	for _, name := range listed {
		if !slices.ContainsFunc(modules, func(module string) bool { return within(module)(name) }) {
			t.Errorf("THIRD_PARTY_LICENSES.md has %s, which the provider is not built from; make licences writes it", name)
		}
	}
}

// Each of these adds megabytes to the program. Helm imports the typed clients to find their version, and the linker drops
// them.
func TestProgramIsWithoutLargePackages(t *testing.T) {
	t.Parallel()
	const typed, helm = "k8s.io/client-go/kubernetes", "helm.sh/helm/v4/internal/version"
	large := []string{typed, "k8s.io/client-go/informers", "github.com/google/cel-go", "go.starlark.net", "k8s.io/kubectl"}
	within := func(name, of string) bool { return name == of || strings.HasPrefix(name, of+"/") }
	for _, line := range goList(t, `{{$by := .ImportPath}}{{range .Imports}}{{$by}}>{{.}}{{"\n"}}{{end}}`) {
		by, imported, _ := strings.Cut(line, ">")
		if within(imported, typed) && (imported == typed+"/scheme" || within(by, typed) || by == helm) {
			continue
		}
		if slices.ContainsFunc(large, func(of string) bool { return within(imported, of) }) {
			t.Errorf("%s imports %s", by, imported)
		}
	}
}

// goList returns what the template says of each package of the program, without repetitions.
func goList(t *testing.T, template string, env ...string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", template, ".")
	list.Dir = "../../.."
	list.Env = append(append(list.Environ(), "CGO_ENABLED=0"), env...)
	printed, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(printed))
	slices.Sort(lines)
	return slices.Compact(lines)
}
