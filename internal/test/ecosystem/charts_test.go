package ecosystem_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chartsource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Charts that do what well-known public charts do: testdata/charts/NAME.txtar. The files below values/ are no part of
// the chart, but its values: those that begin with the same name are given together, in their order.

// chartSet are the values of a chart.
type chartSet struct {
	// folder is the chart; files are the values.
	folder string
	files  []string
}

// chartSets writes a chart into a folder, and returns its values by their names.
func chartSets(t *testing.T, name string) map[string]chartSet {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "charts", name+".txtar"))
	story.Must(t, err)
	folder := filepath.Join(t.TempDir(), filepath.Base(name))
	sets := map[string]chartSet{}
	for _, file := range archive.Files {
		at := filepath.Join(folder, file.Name)
		if values, is := strings.CutPrefix(file.Name, "values/"); is {
			at = filepath.Join(filepath.Dir(folder), values)
			of, _, _ := strings.Cut(values, ".")
			sets[of] = chartSet{folder, append(sets[of].files, at)}
		}
		if plain, is := strings.CutSuffix(at, ".crlf"); is {
			at, file.Data = plain, bytes.ReplaceAll(file.Data, []byte("\n"), []byte("\r\n"))
		}
		story.Must(t, os.MkdirAll(filepath.Dir(at), 0o700))
		story.Must(t, os.WriteFile(at, file.Data, 0o600))
	}
	return sets
}

// The release that the charts are rendered for, with what they see of a cluster.
const (
	releaseName      = "north"
	releaseNamespace = "tides"
	kubeVersion      = "v1.33.4-gke.1245000"
)

var apiVersions = []string{
	"monitoring.coreos.com/v1", "monitoring.coreos.com/v1/ServiceMonitor", "autoscaling/v2/HorizontalPodAutoscaler",
}

// nothing is a cluster without objects.
type nothing struct{}

func (nothing) Capabilities(context.Context) (chart.Capabilities, error) {
	return chart.Capabilities{}, errors.New("the capabilities are given")
}

func (nothing) Get(context.Context, manifest.Identity) (map[string]any, error) { return nil, nil }

func (nothing) List(context.Context, manifest.Identity) ([]map[string]any, error) { return nil, nil }

func (s chartSet) rendering(t *testing.T) *chart.Rendering {
	t.Helper()
	loaded, err := chartsource.Source{Chart: s.folder}.Load(t.Context())
	story.Must(t, err)
	values := map[string]any{}
	for _, file := range s.files {
		text, err := os.ReadFile(file)
		story.Must(t, err)
		read, err := loader.LoadValues(bytes.NewReader(text))
		story.Must(t, err)
		values = loader.MergeMaps(values, read)
	}
	made, err := chart.Request{
		Chart: loaded.Chart, Values: values, Release: chart.Release{Name: releaseName, Namespace: releaseNamespace},
		Capabilities: &chart.Capabilities{KubeVersion: kubeVersion, APIVersions: apiVersions}, Cluster: nothing{},
	}.Render(t.Context())
	story.Must(t, err)
	return made
}

// flags are the values as helm takes them.
func (s chartSet) flags() []string {
	var all []string
	for _, file := range s.files {
		all = append(all, "-f", file)
	}
	return all
}

// helm runs helm, and returns what it prints.
func helm(t *testing.T, program string, args ...string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), program, args...)
	run.Env = append(os.Environ(), "HOME="+t.TempDir())
	if plane := story.ControlPlane(); plane != nil {
		run.Env = append(run.Env, "KUBECONFIG="+plane.KubeconfigPath())
	}
	var out, problems bytes.Buffer
	run.Stdout, run.Stderr = &out, &problems
	if err := run.Run(); err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, &problems)
	}
	return out.String()
}

// templated is what helm template prints.
func (s chartSet) templated(t *testing.T, program string) made {
	t.Helper()
	args := []string{
		"template", releaseName, s.folder, "-n", releaseNamespace, "--include-crds", "--kube-version", kubeVersion,
		"--api-versions", strings.Join(apiVersions, ","),
	}
	return readHelm(t, helm(t, program, append(args, s.flags()...)...))
}

// made are objects, and hooks as those of a second kind, by kind/namespace/name. An object is its fields by their paths,
// as chart.Rendering.Generated has them.
type made map[string]map[string]string

// source begins what helm template prints of one document of a file, which it names.
var source = regexp.MustCompile(`(?m)^---\n# Source: (.*)\n`)

// readHelm reads what helm template prints.
func readHelm(t *testing.T, text string) made {
	t.Helper()
	type one struct {
		object map[string]any
		isHook bool
	}
	var all []one
	var add func(object map[string]any, isHook bool)
	add = func(object map[string]any, isHook bool) {
		items, isList := object["items"].([]any)
		if !isList {
			all = append(all, one{object, isHook})
			return
		}
		for _, item := range items {
			fields, _ := item.(map[string]any)
			add(fields, isHook)
		}
	}
	names := source.FindAllStringSubmatch(text, -1)
	for n, document := range source.Split(text, -1)[1:] {
		for _, object := range decodeAll(t, document) {
			metadata, _ := object["metadata"].(map[string]any)
			annotations, _ := metadata["annotations"].(map[string]any)
			_, isHook := annotations["helm.sh/hook"]
			add(object, isHook && !strings.Contains(names[n][1], "/crds/"))
		}
	}
	cluster := maps.Clone(clusterKinds)
	for _, one := range all {
		spec, _ := one.object["spec"].(map[string]any)
		if names, _ := spec["names"].(map[string]any); spec["scope"] == "Cluster" {
			cluster[fmt.Sprint(names["kind"])] = true
		}
	}
	found := made{}
	for _, one := range all {
		found.add(t, one.object, one.isHook, cluster)
	}
	return found
}

// clusterKinds are those of the charts that have no namespace.
var clusterKinds = map[string]bool{
	"ClusterRole": true, "ClusterRoleBinding": true, "CustomResourceDefinition": true, "IngressClass": true,
	"ValidatingWebhookConfiguration": true, "MutatingWebhookConfiguration": true,
}

// decodeAll reads documents as helm install does, which leaves out empty ones.
func decodeAll(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096); ; {
		object := map[string]any{}
		err := reader.Decode(&object)
		if errors.Is(err, io.EOF) {
			return all
		}
		story.Must(t, err)
		if len(object) > 0 {
			all = append(all, object)
		}
	}
}

func (m made) add(t *testing.T, object map[string]any, isHook bool, cluster map[string]bool) {
	t.Helper()
	kind := fmt.Sprint(object["kind"])
	metadata, _ := object["metadata"].(map[string]any)
	apiVersion := fmt.Sprint(object["apiVersion"])
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = "core"
	}
	namespace, _ := metadata["namespace"].(string)
	switch {
	case cluster[kind]:
		namespace = ""
	case namespace == "":
		namespace = releaseNamespace
		metadata["namespace"] = namespace
	}
	key := fmt.Sprintf("%s/%s/%s/%v", group, kind, namespace, metadata["name"])
	m.put(key, isHook, fieldsOf(object))
}

// put adds an object; a hook about the same object has a number.
func (m made) put(key string, isHook bool, fields map[string]string) {
	place := key
	if isHook {
		place = "hook " + key
		for n := 2; m[place] != nil; n++ {
			place = fmt.Sprintf("hook %s %d", key, n)
		}
	}
	m[place] = fields
}

// fieldsOf returns the values of an object by their paths. A null is no value, and the stringData of a Secret is data.
func fieldsOf(object map[string]any) map[string]string {
	if plain, _ := object["stringData"].(map[string]any); plain != nil && object["kind"] == "Secret" {
		data, _ := object["data"].(map[string]any)
		if data == nil {
			data = map[string]any{}
		}
		for name, value := range plain {
			data[name] = base64.StdEncoding.EncodeToString([]byte(fmt.Sprint(value)))
		}
		object["data"] = data
		delete(object, "stringData")
	}
	fields := map[string]string{}
	flatten("", object, fields)
	return fields
}

func flatten(at string, value any, into map[string]string) {
	switch value := value.(type) {
	case nil:
	case map[string]any:
		if len(value) == 0 {
			into[at] = "{}"
		}
		for name, below := range value {
			path := name
			switch {
			case strings.ContainsAny(name, ".[/"):
				path = fmt.Sprintf("%s[%q]", at, name)
			case at != "":
				path = at + "." + name
			}
			flatten(path, below, into)
		}
	case []any:
		if len(value) == 0 {
			into[at] = "[]"
		}
		for i, below := range value {
			path := fmt.Sprintf("%s[%d]", at, i)
			if fields, _ := below.(map[string]any); fields["name"] != nil {
				path = fmt.Sprintf("%s[name=%q]", at, fields["name"])
			}
			flatten(path, below, into)
		}
	default:
		into[at] = fmt.Sprintf("%T %v", value, value)
	}
}

func readOurs(t *testing.T, rendering *chart.Rendering) made {
	t.Helper()
	found := made{}
	for _, of := range []struct {
		texts  map[string]string
		isHook bool
	}{{rendering.Manifests, false}, {rendering.Secrets, false}, {rendering.Hooks, true}, {rendering.SecretHooks, true}} {
		for key, text := range of.texts {
			all := decodeAll(t, text)
			if len(all) != 1 {
				t.Fatalf("%s has %d documents:\n%s", key, len(all), text)
			}
			place := key
			if of.isHook {
				place = "hook " + key
			}
			found[place] = fieldsOf(all[0])
			if _, ofList := found[place][`metadata.annotations["k8sconnect.io/hook-place"]`]; ofList {
				maps.DeleteFunc(found[place], func(path, _ string) bool { return givenByList.MatchString(path) })
			}
		}
	}
	return found
}

// givenByList matches the annotations that an item of a List that is a hook has from the List.
var givenByList = regexp.MustCompile(`^metadata\.annotations\["(k8sconnect\.io/hook-place|helm\.sh/hook.*)"\]$`)

// without returns the objects without some fields, and what is below them.
func (m made) without(generated map[string][]string) made {
	left := made{}
	for place, fields := range m {
		left[place] = maps.Clone(fields)
		for _, path := range generated[strings.TrimPrefix(place, "hook ")] {
			maps.DeleteFunc(left[place], func(at, _ string) bool {
				below, is := strings.CutPrefix(at, path)
				return is && (below == "" || strings.ContainsAny(below[:1], ".["))
			})
		}
	}
	return left
}

// renamed replaces names that are drawn by one name for all.
func (m made) renamed() made {
	drawn := regexp.MustCompile(`-test-[a-z0-9]{5}$`)
	named := made{}
	for place, fields := range m {
		fields["metadata.name"] = drawn.ReplaceAllString(fields["metadata.name"], "-test-DRAWN")
		named[drawn.ReplaceAllString(place, "-test-DRAWN")] = fields
	}
	return named
}

// helmProgram skips the test unless make test-ecosystem runs it.
func helmProgram(t *testing.T) string {
	t.Helper()
	if os.Getenv(enabled) == "" {
		t.Skip("make test-ecosystem runs this test")
	}
	program, err := testcluster.BuildHelm(t.Context(), os.Stderr)
	story.Must(t, err)
	return program
}

// drawnOnce are the charts that look up a Secret, and draw its values only where it does not exist. The provider renders
// them as the next plan does, which draws nothing.
var drawnOnce = map[string]bool{"boards": true, "common": true, "harbour": true}

// differences returns the fields that are another value in other objects.
func (m made) differences(other made) map[string][]string {
	found := map[string][]string{}
	for place, fields := range m {
		for path, value := range fields {
			if other[place][path] != value {
				key := strings.TrimPrefix(place, "hook ")
				found[key] = append(found[key], path)
			}
		}
	}
	return found
}

// The provider renders what helm template prints: the same objects and hooks, with the same fields. What differs between
// two runs of helm is what the provider finds generated.
func TestChartsAreRenderedAsByHelm(t *testing.T) {
	program := helmProgram(t)
	all, err := filepath.Glob(filepath.Join("testdata", "charts", "*.txtar"))
	story.Must(t, err)
	if len(all) < 10 {
		t.Errorf("%d charts", len(all))
	}
	for _, file := range all {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for set, of := range chartSets(t, name) {
			t.Run(name+"/"+set, func(t *testing.T) {
				rendering := of.rendering(t)
				first, second := of.templated(t, program).renamed(), of.templated(t, program).renamed()
				ours := readOurs(t, rendering).renamed()
				if len(first) < 3 {
					t.Errorf("helm makes %d objects", len(first))
				}
				drawn := rendering.Generated
				if drawnOnce[name] {
					drawn = maps.Clone(drawn)
					maps.Copy(drawn, first.differences(second))
				}
				if diff := cmp.Diff(first.without(drawn), ours.without(drawn)); diff != "" {
					t.Errorf("- helm, + ours:\n%s", diff)
				}
				if diff := cmp.Diff(first.without(drawn), second.without(drawn)); diff != "" {
					t.Errorf("generated, and not seen as such:\n%s", diff)
				}
				if len(rendering.Unnamed) > 0 {
					t.Errorf("objects with drawn names: %q", rendering.Unnamed)
				}
			})
		}
	}
}
