package kustomize_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/kustomize"
)

// folder writes files, by their names, into a folder of the test.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const web = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      volumes:\n      - name: settings\n        configMap: {name: settings}\n"

func TestBuild(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"base/kustomization.yaml":    "resources: [web.yaml]\n",
		"base/web.yaml":              web,
		"overlay/kustomization.yaml": "namePrefix: shop-\nresources: [../base]\nconfigMapGenerator:\n- name: settings\n  files: [app.conf]\n  literals: [docs=https://example.com/docs]\n",
		"overlay/app.conf":           "apiVersion: builtin, but no YAML: [\n",
	})
	built, err := kustomize.Build(filepath.Join(dir, "overlay"))
	text := built.Text
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name: shop-web\n", "name: shop-settings-", "docs: https://example.com/docs\n", "app.conf: |\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if name := between(text, "configMap:\n          name: ", "\n"); name == "" || !strings.Contains(text, "metadata:\n  name: "+name+"\n") {
		t.Errorf("the Deployment names %q, in:\n%s", name, text)
	}
}

func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

func TestBuildErrors(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"file.yaml": web, "empty/web.yaml": web, "secret.txt": "hidden",
		"outside/kustomization.yaml": "configMapGenerator:\n- name: a\n  files: [../secret.txt]\n",
		"unknown/kustomization.yaml": "resource: [web.yaml]\n",
		"absent/kustomization.yaml":  "resources: [web.yaml]\n",
		"plugin/kustomization.yaml":  "generators:\n- |\n  apiVersion: example.com/v1\n  kind: Maker\n  metadata: {name: a}\n",
		"exec/kustomization.yaml":    "generators:\n- |\n  apiVersion: v1\n  kind: Maker\n  metadata: {name: a, annotations: {config.kubernetes.io/function: \"exec: {path: ./run}\"}}\n",
		"exec/run":                   "#!/bin/sh\ntouch ran\n",
	})
	for name, tt := range map[string]struct{ path, want string }{
		"no folder":                        {"nowhere", `nowhere" does not exist`},
		"a file":                           {"file.yaml", `file.yaml" is a file, not a folder`},
		"a folder without a kustomization": {"empty", "unable to find one of 'kustomization.yaml'"},
		"a file outside the root":          {"outside", "is not in or below"},
		"a field that kustomize lacks":     {"unknown", `unknown field "resource"`},
		"a resource that is not there":     {"absent", "no such file or directory"},
		"a plugin":                         {"plugin", "external plugins disabled"},
		"a function that starts a program": {"exec", "external plugins disabled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			built, err := kustomize.Build(filepath.Join(dir, tt.path))
			text := built.Text
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q; text %q", err, tt.want, text)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "exec", "ran")); err == nil {
		t.Error("a program ran")
	}
}

// outside counts what leaves the machine: requests to a server, and runs of git.
type outside struct {
	url      string
	requests atomic.Int64
	runs     string
}

func watchOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{runs: filepath.Join(t.TempDir(), "runs")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		o.requests.Add(1)
		http.NotFound(w, nil)
	}))
	t.Cleanup(server.Close)
	o.url = server.URL
	bin := folder(t, map[string]string{"git": "#!/bin/sh\necho \"$@\" >> " + o.runs + "\nexit 1\n"})
	if err := os.Chmod(filepath.Join(bin, "git"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	return o
}

// calls returns whether anything was called since the last time.
func (o *outside) calls() bool {
	_, err := os.Stat(o.runs)
	_ = os.Remove(o.runs)
	return o.requests.Swap(0) > 0 || err == nil
}

// Each of these makes kustomize itself send a request or run git. Here, nothing is called.
func TestRemoteIsRefused(t *testing.T) {
	o := watchOutside(t)
	for name, tt := range map[string]struct {
		kustomization string
		files         map[string]string
		entry         string
	}{
		"a resource by URL":           {"resources: ['URL/web.yaml']\n", nil, "URL/web.yaml"},
		"a base by URL":               {"resources: ['URL/team/app?ref=v1']\n", nil, "URL/team/app?ref=v1"},
		"a base by the former field":  {"bases: ['URL/team/app']\n", nil, "URL/team/app"},
		"a base by ssh":               {"resources: ['ssh://git@localhost/team/app']\n", nil, "ssh://git@localhost/team/app"},
		"a base by user and host":     {"resources: ['git@localhost:team/app']\n", nil, "git@localhost:team/app"},
		"a base of GitHub":            {"resources: [GitHub.com/team/app]\n", nil, "GitHub.com/team/app"},
		"a base with git::":           {"resources: ['git::URL/team/app']\n", nil, "git::URL/team/app"},
		"a base in a file URL":        {"resources: ['file:///srv/app']\n", nil, "file:///srv/app"},
		"a base over two lines":       {"resources:\n- |-\n  URL/team/app\n  more\n", nil, "URL/team/app\nmore"},
		"a component":                 {"components: ['URL/team/app']\n", nil, "URL/team/app"},
		"a patch":                     {"resources: [web.yaml]\npatches: [{path: 'URL/patch.yaml'}]\n", nil, "URL/patch.yaml"},
		"a patch by the former field": {"resources: [web.yaml]\npatchesStrategicMerge: ['URL/patch.yaml']\n", nil, "URL/patch.yaml"},
		"a file of a generator":       {"configMapGenerator: [{name: a, files: ['key=URL/app.conf']}]\n", nil, "URL/app.conf"},
		"an env file of a generator":  {"secretGenerator: [{name: a, envs: ['URL/app.env']}]\n", nil, "URL/app.env"},
		"definitions":                 {"resources: [web.yaml]\ncrds: ['URL/crd.json']\n", nil, "URL/crd.json"},
		"a configuration":             {"resources: [web.yaml]\nconfigurations: ['URL/config.yaml']\n", nil, "URL/config.yaml"},
		"replacements":                {"resources: [web.yaml]\nreplacements: [{path: 'URL/replacement.yaml'}]\n", nil, "URL/replacement.yaml"},
		"a schema":                    {"resources: [web.yaml]\nopenapi: {path: 'URL/schema.json'}\n", nil, "URL/schema.json"},
		"a generator":                 {"generators: ['URL/generator.yaml']\n", nil, "URL/generator.yaml"},
		"a transformer":               {"resources: [web.yaml]\ntransformers: ['URL/transformer.yaml']\n", nil, "URL/transformer.yaml"},
		"a validator":                 {"resources: [web.yaml]\nvalidators: ['URL/validator.yaml']\n", nil, "URL/validator.yaml"},
		"in a generator in a line":    {"generators:\n- |\n  apiVersion: builtin\n  kind: ConfigMapGenerator\n  metadata: {name: a}\n  files: ['key=URL/app.conf']\n", nil, "URL/app.conf"},
		"in a generator in a file":    {"generators: [generator.yaml]\n", map[string]string{"generator.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: ['URL/app.conf']\n"}, "URL/app.conf"},
		"in a second generator":       {"generators: [generator.yaml]\n", map[string]string{"generator.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: b}\n---\napiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: ['URL/app.conf']\n"}, "URL/app.conf"},
		"in a transformer in a file":  {"resources: [web.yaml]\ntransformers: [transformer.yaml]\n", map[string]string{"transformer.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: a}\npath: URL/patch.yaml\n"}, "URL/patch.yaml"},
		"in a generator with escapes": {"generators: [generator.yaml]\n", map[string]string{"generator.yaml": "apiVersion: \"built\\u0069n\"\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: ['URL/app.conf']\n"}, "URL/app.conf"},
		"in a base":                   {"resources: [base]\n", map[string]string{"base/kustomization.yml": "resources: ['URL/team/app']\n"}, "URL/team/app"},
		"in a base of a base":         {"resources: [base]\n", map[string]string{"base/Kustomization": "resources: [base]\n", "base/base/kustomization.yaml": "resources: ['URL/team/app']\n"}, "URL/team/app"},
	} {
		t.Run(name, func(t *testing.T) {
			here := func(text string) string { return strings.ReplaceAll(text, "URL", o.url) }
			files := map[string]string{"kustomization.yaml": here(tt.kustomization), "web.yaml": web}
			for name, content := range tt.files {
				files[name] = here(content)
			}
			dir := folder(t, files)
			if _, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir); err == nil || !o.calls() {
				t.Fatalf("kustomize alone calls nothing: %v", err)
			}
			_, err := kustomize.Build(dir)
			var refused *kustomize.RefusedError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a refusal", err)
			}
			if diff := cmp.Diff(here(tt.entry), refused.Entry); diff != "" || refused.Helm || !strings.HasPrefix(refused.File, dir) {
				t.Errorf("%+v (-want +got):\n%s", refused, diff)
			}
			if o.calls() {
				t.Error("something was called")
			}
		})
	}
	var refused *kustomize.RefusedError
	if _, err := kustomize.Build(o.url + "/team/app"); !errors.As(err, &refused) || o.calls() {
		t.Errorf("the path itself: %v", err)
	}
}

// A kustomization may be a symbolic link to a file with another name.
func TestRemoteBehindALinkIsRefused(t *testing.T) {
	o := watchOutside(t)
	for name, link := range map[string]string{"the kustomization": "kustomization.yaml", "a base": "base/kustomization.yaml"} {
		for what, content := range map[string]string{
			"a base by URL":         "resources: ['" + o.url + "/team/app']\n",
			"a file of a generator": "configMapGenerator: [{name: a, files: ['" + o.url + "/app.conf']}]\n",
		} {
			t.Run(name+", "+what, func(t *testing.T) {
				shared := filepath.Join(filepath.Dir(link), "shared.yaml")
				dir := folder(t, map[string]string{shared: content})
				if link != "kustomization.yaml" {
					dir = folder(t, map[string]string{"kustomization.yaml": "resources: [base]\n", shared: content})
				}
				if err := os.Symlink("shared.yaml", filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
				if _, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir); err == nil || !o.calls() {
					t.Fatalf("kustomize alone calls nothing: %v", err)
				}
				_, err := kustomize.Build(dir)
				var refused *kustomize.RefusedError
				if !errors.As(err, &refused) || !strings.HasPrefix(refused.Entry, o.url) {
					t.Errorf("error %v, want a refusal", err)
				}
				if o.calls() {
					t.Error("something was called")
				}
			})
		}
	}
}

// The patches in a folder of generators can add something remote that no file shows in advance.
func TestFolderOfGeneratorsIsRefused(t *testing.T) {
	o := watchOutside(t)
	dir := folder(t, map[string]string{
		"kustomization.yaml":     "generators: [gen]\n",
		"gen/kustomization.yaml": "resources: [map.yaml]\npatches:\n- patch: |-\n    - op: add\n      path: /files\n      value: ['" + o.url + "/app.conf']\n  target: {kind: ConfigMapGenerator}\n",
		"gen/map.yaml":           "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nliterals: [a=b]\n",
	})
	if _, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir); err == nil || !o.calls() {
		t.Fatalf("kustomize alone calls nothing: %v", err)
	}
	_, err := kustomize.Build(dir)
	var refused *kustomize.RefusedError
	if !errors.As(err, &refused) || !refused.IsFolder || refused.Entry != "gen" {
		t.Errorf("error %v, want a refusal of the folder", err)
	}
	if o.calls() {
		t.Error("something was called")
	}
}

// A link to a kustomization without anything remote is built.
func TestLinkedKustomization(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"shared.yaml": "resources: [web.yaml]\n", "web.yaml": web})
	if err := os.Symlink("shared.yaml", filepath.Join(dir, "kustomization.yaml")); err != nil {
		t.Fatal(err)
	}
	if built, err := kustomize.Build(dir); err != nil || !strings.Contains(built.Text, "name: web\n") {
		t.Errorf("error %v, text:\n%s", err, built.Text)
	}
}

// What kustomize warns of reaches the caller, with the file.
func TestDeprecatedFields(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"base/kustomization.yaml":    "resources: [web.yaml]\ncommonLabels: {app: web}\n",
		"base/web.yaml":              web,
		"overlay/kustomization.yaml": "bases: [../base]\npatchesStrategicMerge: []\n",
	})
	built, err := kustomize.Build(filepath.Join(dir, "overlay"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, warning := range built.Warnings {
		file, _, _ := strings.Cut(warning, ":")
		files = append(files, filepath.Base(filepath.Dir(file)))
	}
	if !slices.Equal(files, []string{"base", "overlay", "overlay"}) || !strings.Contains(built.Warnings[0], "'commonLabels' is deprecated") {
		t.Errorf("warnings %q", built.Warnings)
	}
}

func TestHelmIsRefused(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a chart":               {"kustomization.yaml": "helmCharts: [{name: nginx, repo: 'https://charts.example.com'}]\n"},
		"by the former field":   {"kustomization.yaml": "helmChartInflationGenerator: [{chartName: nginx}]\n"},
		"a generator in a file": {"kustomization.yaml": "generators: [g.yaml]\n", "g.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: nginx}\nname: nginx\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := kustomize.Build(folder(t, files))
			var refused *kustomize.RefusedError
			if !errors.As(err, &refused) || !refused.Helm || refused.Entry != "nginx" {
				t.Errorf("error %v, want a refusal of nginx", err)
			}
		})
	}
}

// Names that look a little like URLs are names of files.
func TestLocalNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"https.yaml", "git@home.yaml", "github.com.yaml", "a:b.yaml", "team@v1.yaml"} {
		dir := folder(t, map[string]string{"kustomization.yaml": "resources: ['" + name + "']\n", name: web})
		if _, err := kustomize.Build(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
