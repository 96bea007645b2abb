package ecosystem_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// dataSource is the data source of a chart, with an output of what it makes.
func (s chartSet) dataSource(name, arguments string) string {
	var values []string
	for _, file := range s.files {
		values = append(values, fmt.Sprintf("file(%q)", file))
	}
	return fmt.Sprintf(`data "k8sconnect_chart" %[1]q {
  chart  = %[2]q
  values = [%[3]s]
  %[4]s
}
output %[1]q {
  sensitive = true
  value = {
    Manifests   = data.k8sconnect_chart.%[1]s.manifests
    Secrets     = data.k8sconnect_chart.%[1]s.secret_manifests
    Hooks       = data.k8sconnect_chart.%[1]s.hooks
    SecretHooks = data.k8sconnect_chart.%[1]s.secret_hooks
    Generated   = data.k8sconnect_chart.%[1]s.generated
  }
}
`, name, s.folder, strings.Join(values, ", "), arguments)
}

// renderingOf returns what the data source of that name has made.
func renderingOf(t *testing.T, w *story.Workspace, name string) *chart.Rendering {
	t.Helper()
	text := w.Do("output", "-json", name)
	made := &chart.Rendering{}
	story.Must(t, json.Unmarshal([]byte(text[strings.Index(text, "{"):]), made))
	return made
}

// The data source reads values as helm -f does: numbers of each size, nulls that remove defaults, lists that replace
// lists, maps that are merged, several documents, later files over earlier ones.
func TestValuesAreReadAsByHelm(t *testing.T) {
	program := helmProgram(t)
	s := story.New(t)
	w := s.HostedWorkspace()
	var configuration []string
	sets := map[string]chartSet{}
	for _, name := range []string{"odd", "stack", "vault", "proxy", "common"} {
		for set, of := range chartSets(t, name) {
			sets[name+"_"+set] = of
			configuration = append(configuration, of.dataSource(name+"_"+set, fmt.Sprintf(`
  release      = %q
  namespace    = %q
  capabilities = { kube_version = %q, api_versions = %s }`, releaseName, releaseNamespace, kubeVersion, story.AsJSON(apiVersions))))
		}
	}
	w.Configure(configuration...)
	w.Do("apply", "-auto-approve")
	for name, of := range sets {
		t.Run(name, func(t *testing.T) {
			rendering := renderingOf(t, w, name)
			ours, theirs := readOurs(t, rendering), of.templated(t, program)
			if diff := cmp.Diff(theirs.without(rendering.Generated), ours.without(rendering.Generated)); diff != "" {
				t.Errorf("- helm, + ours:\n%s", diff)
			}
		})
	}
}

// What a chart sees of the cluster is what it sees with helm, which creates what is in crds/ before it renders.
func TestChartsSeeTheClusterAsByHelm(t *testing.T) {
	program := helmProgram(t)
	s := story.New(t)
	w := s.HostedWorkspace()
	of := chartSets(t, "../view")["one"]
	w.Configure(of.dataSource("view", fmt.Sprintf("release = %q\nnamespace = %q", releaseName, releaseNamespace)))
	w.Do("apply", "-auto-approve")
	theirs := readHelm(t, helm(t, program, "template", releaseName, of.folder, "-n", releaseNamespace, "--dry-run=server"))
	ours := readOurs(t, renderingOf(t, w, "view"))
	if len(ours["core/ConfigMap/tides/view"]["data.versions"]) < 2000 {
		t.Errorf("%v", ours)
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("- helm, + ours:\n%s", diff)
	}
}

// Charts that are installed by both, ours in the namespace of the story.
var installedCharts = map[string]struct {
	// changed are values, lines what a plan shows of them, and quiet what it does not show.
	changed      string
	lines, quiet []string
}{
	"harbour": {`{"database": {"maxIdleConns": 7}}`, []string{`"7"`, "checksum/core"}, []string{"tls.crt", "CSRF_KEY", "checksum/secret", "rendered"}},
	"common":  {`{"primary": {"configuration": "max = 5\n"}}`, []string{"max = 5", "checksum/configuration"}, []string{"checksum/secret", "postgres-password"}},
	"stack":   {`{"node": {"service": {"port": 9102, "targetPort": 9103}}}`, []string{"9102", "9103"}, []string{"rules", "probes"}},
	"boards":  {`{"boards.ini": {"log": {"mode": "file"}}}`, []string{"mode = file"}, []string{"admin-password", "checksum/secret"}},
}

// A set makes of a chart what helm install makes of it; another plan is empty, although the chart draws values; another
// value changes what it changes with helm upgrade, and no more.
func TestChartsAreInstalledAsByHelm(t *testing.T) {
	program := helmProgram(t)
	for name, of := range installedCharts {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			other := s.Namespace + "-helm"
			s.As("kubectl").CreateUntilEnd("apiVersion: v1\nkind: Namespace\nmetadata: {name: " + other + "}\n")
			set := chartSets(t, name)["one"]
			w := s.HostedWorkspace()
			configure := func() {
				arguments := fmt.Sprintf("release = %q\nnamespace = %q", releaseName, s.Namespace)
				w.Configure(set.dataSource("it", arguments) + `resource "k8sconnect_manifests" "it" {
  manifests        = data.k8sconnect_chart.it.manifests
  secret_manifests = data.k8sconnect_chart.it.secret_manifests
}
`)
			}
			compare := func() {
				t.Helper()
				rendering := renderingOf(t, w, "it")
				texts := maps.Clone(rendering.Manifests)
				maps.Copy(texts, rendering.Secrets)
				replace := strings.NewReplacer(other, s.Namespace, "south", releaseName)
				back := strings.NewReplacer(s.Namespace, other, releaseName, "south")
				ours, theirs := made{}, made{}
				for _, key := range slices.Sorted(maps.Keys(texts)) {
					object := decodeAll(t, texts[key])[0]
					live := &unstructured.Unstructured{Object: object}
					ours[key] = fieldsOf(withoutServer(s.Live(targetOf(live, live.GetNamespace(), live.GetName()))))
					if live.GetKind() == "CustomResourceDefinition" {
						continue // Helm has found the one that is there.
					}
					target := targetOf(live, back.Replace(live.GetNamespace()), back.Replace(live.GetName()))
					theirs[key] = fieldsOf(withoutServer(s.Live(target)))
					for path, value := range theirs[key] {
						theirs[key][path] = replace.Replace(value)
					}
				}
				if len(theirs) < 3 {
					t.Errorf("%d objects", len(theirs))
				}
				maps.DeleteFunc(ours, func(key string, _ map[string]string) bool { return theirs[key] == nil })
				if diff := cmp.Diff(theirs.without(rendering.Generated), ours.without(rendering.Generated)); diff != "" {
					t.Errorf("- helm, + ours:\n%s", diff)
				}
			}
			configure()
			w.Do("apply", "-auto-approve")
			if text := w.Exits(story.Nothing, "plan", "-detailed-exitcode"); strings.Contains(text, "Warning:") {
				t.Error(text)
			}
			t.Cleanup(func() { helm(t, program, "uninstall", "south", "-n", other, "--no-hooks") })
			helm(t, program, append([]string{"install", "south", set.folder, "-n", other, "--no-hooks"}, set.flags()...)...)
			compare()

			changed := filepath.Join(t.TempDir(), "changed.yaml")
			story.Must(t, os.WriteFile(changed, []byte(of.changed), 0o600))
			set.files = append(set.files, changed)
			configure()
			text := w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=p")
			for _, line := range of.lines {
				if !strings.Contains(text, line) {
					t.Errorf("the plan lacks %s:\n%s", line, text)
				}
			}
			for _, line := range of.quiet {
				if strings.Contains(text, line) {
					t.Errorf("the plan has %s:\n%s", line, text)
				}
			}
			w.Do("apply", "p")
			w.Exits(story.Nothing, "plan", "-detailed-exitcode")
			helm(t, program, append([]string{"upgrade", "south", set.folder, "-n", other, "--no-hooks"}, set.flags()...)...)
			compare()
			w.Do("destroy", "-auto-approve")
		})
	}
}

// targetOf is an object of a name and a namespace, as stories name it.
func targetOf(like *unstructured.Unstructured, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return like.GetAPIVersion() + " " + like.GetKind() + " " + name
}

// withoutServer returns an object without what the server, its controllers, and Helm about its release write into it.
func withoutServer(live *unstructured.Unstructured) map[string]any {
	for _, path := range [][]string{
		{"status"}, {"metadata", "uid"}, {"metadata", "resourceVersion"}, {"metadata", "creationTimestamp"},
		{"metadata", "managedFields"}, {"metadata", "generation"},
		{"metadata", "annotations", "deployment.kubernetes.io/revision"},
		{"metadata", "annotations", "deprecated.daemonset.template.generation"},
		{"metadata", "annotations", "meta.helm.sh/release-name"},
		{"metadata", "annotations", "meta.helm.sh/release-namespace"},
		{"metadata", "labels", "app.kubernetes.io/managed-by"},
	} {
		unstructured.RemoveNestedField(live.Object, path...)
	}
	for _, name := range []string{"annotations", "labels"} {
		if left, _, _ := unstructured.NestedMap(live.Object, "metadata", name); len(left) == 0 {
			unstructured.RemoveNestedField(live.Object, "metadata", name)
		}
	}
	return live.Object
}
