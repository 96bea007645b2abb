package documents

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
)

// The sources of k8s.io/api say which kinds have a namespace, by the markers that client-go's clients are generated from. The
// clients themselves take longer to compile than the provider.
func TestBuiltInScopes(t *testing.T) {
	// k8s.io/api lacks these two, which come from other modules.
	lines := []string{"APIService.apiregistration.k8s.io Cluster", "CustomResourceDefinition.apiextensions.k8s.io Cluster"}
	kinds := map[string]map[string]schema.GroupKind{}
	for kind, known := range scheme.Scheme.AllKnownTypes() {
		if of := known.PkgPath(); strings.HasPrefix(of, "k8s.io/api/") {
			if kinds[of] == nil {
				kinds[of] = map[string]schema.GroupKind{}
			}
			kinds[of][known.Name()] = kind.GroupKind()
		}
	}
	list := []string{"list", "-f", "{{.ImportPath}} {{.Dir}}"}
	for of := range kinds {
		list = append(list, of)
	}
	folders, err := exec.CommandContext(t.Context(), "go", list...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(folders)) {
		of, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		for name, scope := range scopesIn(t, folder) {
			if kind, known := kinds[of][name]; known {
				lines = append(lines, kind.String()+" "+scope)
			}
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) < 50 {
		t.Fatalf("the sources say the scope of %d kinds only", len(lines))
	}
	golden.Compare(t, "../scopes.txt", strings.Join(lines, "\n")+"\n")
}

func TestBuiltInGroups(t *testing.T) {
	t.Parallel()
	for kind := range builtIn() {
		if !manifest.IsBuiltinGroup(kind.Group) {
			t.Errorf("the group of %s is not built in", kind)
		}
	}
}

// scopesIn returns the scope of each type of a package whose objects a client can create.
func scopesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "types*.go"))
	if err != nil {
		t.Fatal(err)
	}
	scopes := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		addScopes(scopes, string(text))
	}
	return scopes
}

// addScopes adds the types of a file. The markers of a type stand above it, after the end of the declaration before.
func addScopes(scopes map[string]string, text string) {
	var markers []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if marker, is := strings.CutPrefix(line, "// +"); is {
			markers = append(markers, marker)
			continue
		}
		declared, is := strings.CutPrefix(line, "type ")
		if is && slices.Contains(markers, "genclient") && !slices.ContainsFunc(markers, withoutCreate) {
			name, _, _ := strings.Cut(declared, " ")
			scopes[name] = "Namespaced"
			if slices.Contains(markers, "genclient:nonNamespaced") {
				scopes[name] = "Cluster"
			}
		}
		if is || line == "}" || line == ")" {
			markers = nil
		}
	}
}

// withoutCreate reports whether a marker says that no client can create objects.
func withoutCreate(marker string) bool {
	some, are := strings.CutPrefix(marker, "genclient:onlyVerbs=")
	lacks, do := strings.CutPrefix(marker, "genclient:skipVerbs=")
	return marker == "genclient:noVerbs" || are && !slices.Contains(strings.Split(some, ","), "create") ||
		do && slices.Contains(strings.Split(lacks, ","), "create")
}

func TestAddScopes(t *testing.T) {
	t.Parallel()
	const text = `package v1

// +genclient
// +genclient:nonNamespaced

// Node is the kind's description.
type Node struct {
	// +optional
	Spec int
}

// +genclient
type Pod struct{}

// NodeList has no client.
type NodeList struct{}

// +genclient
// +genclient:onlyVerbs=get,list
type Status struct {
}

// +genclient
// +genclient:nonNamespaced
// +genclient:onlyVerbs=create
type Review struct {
}
`
	scopes := map[string]string{}
	addScopes(scopes, text)
	want := map[string]string{"Node": "Cluster", "Pod": "Namespaced", "Review": "Cluster"}
	if diff := cmp.Diff(want, scopes); diff != "" {
		t.Errorf("scopes (-want +got):\n%s", diff)
	}
}
