package ecosystem_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
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
	_, object, _ := strings.Cut(text, "{")
	story.Must(t, json.Unmarshal([]byte("{"+object), made))
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
			drawn := rendering.Generated
			if drawnOnce[strings.Split(name, "_")[0]] {
				drawn = theirs.differences(of.templated(t, program))
			}
			if diff := cmp.Diff(theirs.without(drawn), ours.without(drawn)); diff != "" {
				t.Errorf("- helm, + ours:\n%s", diff)
			}
		})
	}
}

var subresources = []string{
	"apps/v1/Scale", "v1/Eviction", "v1/NodeProxyOptions", "v1/PodAttachOptions", "v1/PodExecOptions", "v1/Scale",
	"v1/PodPortForwardOptions", "v1/PodProxyOptions", "v1/ServiceProxyOptions", "v1/TokenRequest",
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
	const view, versions = "core/ConfigMap/tides/view", "data.versions"
	if len(ours[view][versions]) < 2000 {
		t.Errorf("%v", ours)
	}
	// Helm names the kinds of subresources, too.
	var kinds []string
	for kind := range strings.SplitSeq(theirs[view][versions], "\n") {
		if !slices.Contains(subresources, kind) {
			kinds = append(kinds, kind)
		}
	}
	theirs[view][versions] = strings.Join(kinds, "\n")
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("- helm, + ours:\n%s", diff)
	}
}

// What helm template takes and the provider refuses; the page about charts says so.
func TestWhatHelmTakesAndWeDoNot(t *testing.T) {
	program := helmProgram(t)
	outside := filepath.Join(t.TempDir(), "outside")
	story.Must(t, os.WriteFile(outside, []byte(`{"type": "object"}`), 0o600))
	const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for name, tt := range map[string]struct{ file, text, values, says string }{
		"two of one":       {"templates/b.yaml", config, "", "templates/b.yaml: core/ConfigMap/default/a is already in templates/a.yaml"},
		"a value twice":    {"templates/b.yaml", "", "a: 1\na: 2\n", "repeats a key of line 1"},
		"a schema outside": {"values.schema.json", `{"$ref": "file://` + outside + `"}`, "", "a schema has to be whole"},
		"a link outside":   {"templates/b.yaml", "", "", "Only relative links inside of the chart's folder are followed"},
		"no name":          {"templates/b.yaml", strings.Replace(config, "name:", "generateName:", 1), "", "metadata.generateName asks the server for a name"},
	} {
		t.Run(name, func(t *testing.T) {
			of := chartSet{t.TempDir(), []string{filepath.Join(t.TempDir(), "values.yaml")}}
			story.Must(t, os.Mkdir(filepath.Join(of.folder, "templates"), 0o700))
			for file, text := range map[string]string{
				filepath.Join(of.folder, "Chart.yaml"):       "apiVersion: v2\nname: a\nversion: 1.0.0\n",
				filepath.Join(of.folder, "templates/a.yaml"): config, filepath.Join(of.folder, tt.file): tt.text, of.files[0]: tt.values,
			} {
				story.Must(t, os.WriteFile(file, []byte(text), 0o600))
			}
			if strings.Contains(name, "link") {
				story.Must(t, os.Remove(filepath.Join(of.folder, tt.file)))
				story.Must(t, os.Symlink(outside, filepath.Join(of.folder, tt.file)))
			}
			helm(t, program, append([]string{"template", "a", of.folder}, of.flags()...)...)
			w := story.New(t).HostedWorkspace()
			w.Configure(of.dataSource("a", `release = "a"`))
			out, err := w.Try("plan")
			text := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(out)), " ")
			if err == nil || !strings.Contains(text, tt.says) {
				t.Errorf("want %q:\n%s", tt.says, text)
			}
		})
	}
}

// Charts that are installed by both, ours in the namespace of the story.
var installedCharts = map[string]struct {
	// release is the one of helm; its name is that of ours where no object is without a namespace.
	release string
	// changed are values, lines what a plan shows of them, and quiet what it does not show.
	changed      string
	lines, quiet []string
}{
	"harbour": {"north", `{"database": {"maxIdleConns": 7}}`, []string{`"7"`, "checksum/core"}, []string{"tls.crt", "CSRF_KEY", "checksum/secret", "rendered"}},
	"common":  {"north", `{"primary": {"configuration": "max = 5\n"}}`, []string{"/north-store-configuration", "checksum/configuration"}, []string{"checksum/secret", "postgres-password"}},
	"stack":   {"south", `{"node": {"service": {"port": 9102, "targetPort": 9103}}}`, []string{"9102", "9103"}, []string{"rules", "probes"}},
	"boards":  {"north", `{"boards.ini": {"log": {"mode": "file"}}}`, []string{"mode = file"}, []string{"admin-password", "checksum/secret"}},
}

// drawnIn are the fields of the charts of drawnOnce.
var drawnIn = map[string]map[string][]string{
	"boards": {
		"core/Secret/NS/north-boards":     {"data.admin-password"},
		"apps/Deployment/NS/north-boards": {`spec.template.metadata.annotations["checksum/secret"]`},
	},
	"harbour": {"core/Secret/NS/north-harbour-core": {"data.secret"}},
	"common": {
		"core/Secret/NS/north-store":      {"data.postgres-password"},
		"apps/StatefulSet/NS/north-store": {`spec.template.metadata.annotations["checksum/secret"]`},
	},
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
				source := regexp.MustCompile(`(?m)^ +(Secret)?Hooks .*\n`).ReplaceAllString(set.dataSource("it", arguments), "")
				w.Configure(source + `resource "k8sconnect_manifests" "it" {
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
				replace := strings.NewReplacer(other, s.Namespace, of.release, releaseName)
				back := strings.NewReplacer(s.Namespace, other, releaseName, of.release)
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
				drawn := rendering.Generated
				if drawnOnce[name] {
					drawn = maps.Clone(drawn)
					for key, paths := range drawnIn[name] {
						key = s.Expand(key)
						drawn[key] = append(drawn[key], paths...)
					}
				}
				if diff := cmp.Diff(theirs.without(drawn), ours.without(drawn)); diff != "" {
					t.Errorf("- helm, + ours:\n%s", diff)
				}
			}
			configure()
			w.Do("apply", "-auto-approve")
			if text := w.Exits(story.Nothing, "plan", "-detailed-exitcode"); strings.Contains(text, "Generated Values") {
				t.Error(text)
			}
			helm(t, program, append([]string{"install", of.release, set.folder, "-n", other, "--no-hooks"}, set.flags()...)...)
			compare()

			changed := filepath.Join(t.TempDir(), "changed.yaml")
			story.Must(t, os.WriteFile(changed, []byte(of.changed), 0o600))
			set.files = append(set.files, changed)
			configure()
			text := changedLines(w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=p"))
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
			helm(t, program, append([]string{"upgrade", of.release, set.folder, "-n", other, "--no-hooks"}, set.flags()...)...)
			compare()
			ours := targetsOf(t, renderingOf(t, w, "it"))
			helm(t, program, "uninstall", of.release, "-n", other, "--no-hooks")
			w.Do("destroy", "-auto-approve")
			back := strings.NewReplacer(s.Namespace, other, releaseName, of.release)
			for _, target := range ours {
				isGone := func(target string) bool {
					return s.Gone(target) || s.Live(target).GetDeletionTimestamp() != nil
				}
				if theirs := isGone(back.Replace(target)); theirs != isGone(target) {
					t.Errorf("%s: gone after the uninstall: %t, not so after the destroy", target, theirs)
				}
			}
		})
	}
}

// targetsOf returns the objects of a rendering, as stories name them, without definitions, which Helm leaves.
func targetsOf(t *testing.T, rendering *chart.Rendering) []string {
	t.Helper()
	var targets []string
	for _, texts := range []map[string]string{rendering.Manifests, rendering.Secrets} {
		for _, text := range texts {
			object := &unstructured.Unstructured{Object: decodeAll(t, text)[0]}
			if object.GetKind() != "CustomResourceDefinition" {
				targets = append(targets, targetOf(object, object.GetNamespace(), object.GetName()))
			}
		}
	}
	return targets
}

// changedLines returns the lines of a plan that add, change or remove.
func changedLines(plan string) string {
	return strings.Join(regexp.MustCompile(`(?m)^ *[-+~] .*$`).FindAllString(plan, -1), "\n")
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
