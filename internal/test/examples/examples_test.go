package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Every directory of examples/ with .tf files is planned, applied, planned again and destroyed. What is on
// the cluster before, an object to import for instance, is in its before.yaml. The examples share a
// cluster and names, so they run one after the other.
func TestExamplesApply(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	clouds, surround := authenticating(t)
	variables := slices.Concat(atHome(t), clouds)
	formatted := story.In(t, "default").Workspace()
	formatted.Dir = filepath.Join(pages.Root, "examples")
	formatted.Do("fmt", "-check", "-diff", "-recursive")
	for _, dir := range exampleDirs(t) {
		name, err := filepath.Rel(filepath.Join(pages.Root, "examples"), dir)
		story.Must(t, err)
		t.Run(name, func(t *testing.T) {
			e := newExample(t, name, variables)
			surround(e)
			e.createBefore()
			planned := e.Do("plan", "-out=first.plan")
			if connection := unknown[name]; connection != "" && !regexp.MustCompile(`\+ `+connection+` += \(known after apply\)`).MatchString(planned) {
				t.Errorf("the first plan knows %s:\n%s", connection, planned)
			}
			e.Do("apply", "first.plan")
			e.plan(story.Nothing)
			for _, target := range released[name] {
				e.created = append(e.created, e.Live(target))
			}
		})
	}
}

// unknown is what the connections of examples that create a cluster come from, which is known after the apply of the cluster.
var unknown = map[string]string{"aks": "kube_config", "eks": "endpoint", "gke": "endpoint"}

// released are the objects of examples that their destroy leaves on the cluster.
var released = map[string][]string{
	"on-destroy":    {"v1 ConfigMap archive"},
	"hand-over":     {"v1 ConfigMap banner"},
	"hand-over-set": {"v1 ConfigMap jetty-north", "v1 ConfigMap jetty-south"},
}

// exampleDirs returns the directories below examples/ that hold .tf files, without those that have actions.
func exampleDirs(t *testing.T) []string {
	t.Helper()
	withActions := actionDirs(t)
	var dirs []string
	for _, file := range pages.Files(t, filepath.Join(pages.Root, "examples"), ".tf") {
		if dir := filepath.Dir(file); !slices.Contains(withActions, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	if len(dirs) == 0 {
		t.Fatal("examples/ has no .tf files")
	}
	return dirs
}

// require adds the block that says where the provider comes from, where an example leaves it out, as the
// excerpts on the resource's page do.
func require(t *testing.T, dir string) {
	t.Helper()
	for _, file := range pages.Files(t, dir, ".tf") {
		if strings.Contains(pages.Read(t, file), "required_providers") {
			return
		}
	}
	story.Must(t, os.WriteFile(filepath.Join(dir, "required.tf"), []byte(
		"terraform {\n  required_providers {\n    k8sconnect = {\n      source = \"k8sconnect/k8sconnect\"\n    }\n  }\n}\n"), 0o600))
}
