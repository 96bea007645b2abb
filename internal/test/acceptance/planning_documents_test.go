package acceptance_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A kustomization gives its objects prefixes, and a ConfigMap a name that has a digest of its values. A set applies them, of which
// each stands before what it needs, and shows nothing of the Secrets.
func TestKustomization(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	writeFolder(w, "", map[string]string{
		"base/kustomization.yaml": "resources: [install.yaml]\n",
		"base/install.yaml": s.Expand(strings.Join([]string{
			"# What the authors publish.",
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings # of the tides\ndata: {a: '1'}\n",
			"apiVersion: NS.example.com/v1\nkind: Widget\nmetadata: {name: web}\nspec: {size: 5}\n",
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: NS-reader\nrules: [{apiGroups: [\"\"], resources: [pods], verbs: [get]}]\n",
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n  metadata: {name: NS-tides}\n",
			story.WidgetDefinition,
		}, "\n---\n")),
		"overlay/kustomization.yaml": "namePrefix: shop-\nresources: [../base]\nconfigMapGenerator: [{name: generated, literals: [a=1]}]\n" +
			"secretGenerator: [{name: login, literals: [password=hunter2], options: {disableNameSuffixHash: true}}]\n",
	})
	w.Configure("data \"k8sconnect_kustomize\" \"shop\" {\n  path = \"${path.module}/overlay\"\n  namespace = \"" + s.Expand("NS-tides") + "\"\n}\n" +
		"resource \"k8sconnect_manifests\" \"shop\" {\n  manifests = data.k8sconnect_kustomize.shop.manifests\n  secret_manifests = data.k8sconnect_kustomize.shop.secret_manifests\n}\n" +
		"output \"keys\" {\n  value = keys(data.k8sconnect_kustomize.shop.manifests)\n}\n" +
		"output \"secrets\" {\n  value = nonsensitive(keys(data.k8sconnect_kustomize.shop.secret_manifests))\n}\n")
	defer w.Do("destroy", "-auto-approve")
	out := w.Do("apply", "-auto-approve")
	for _, key := range []string{
		"apiextensions.k8s.io/CustomResourceDefinition//widgets.NS.example.com", "core/Namespace//NS-tides", "rbac.authorization.k8s.io/ClusterRole//shop-NS-reader",
		"core/ConfigMap/NS-tides/shop-settings", "NS.example.com/Widget/NS-tides/shop-web", "core/ConfigMap/NS-tides/shop-generated-h29d89cmmt",
		"core/Secret/NS-tides/shop-login",
	} {
		if !strings.Contains(out, strconv.Quote(s.Expand(key))+",") {
			t.Errorf("no %s in:\n%s", s.Expand(key), out)
		}
	}
	for _, value := range []string{"hunter2", encoded("hunter2")} {
		if strings.Contains(out, value) {
			t.Errorf("%s is in:\n%s", value, out)
		}
	}
	for _, target := range []string{
		"apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", "v1 Namespace NS-tides", "rbac.authorization.k8s.io/v1 ClusterRole shop-NS-reader",
		"v1 ConfigMap NS-tides/shop-settings", "NS.example.com/v1 Widget NS-tides/shop-web", "v1 ConfigMap NS-tides/shop-generated-h29d89cmmt",
		"v1 Secret NS-tides/shop-login",
	} {
		w.Live(target)
	}
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// Nothing of a kustomization that is refused is in a plan, and each refusal says what to do.
func TestRefusedKustomizations(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	for name, tt := range map[string]struct{ kustomization, path, arguments, says string }{
		"a remote base":      {"resources: ['https://example.com/team/app']\n", "here", "", "is remote. This data source sends no request, and runs no git. Copy the remote files"},
		"a chart":            {"helmCharts: [{name: nginx}]\n", "here", "", "nginx is a Helm chart, and this data source does not run Helm. Render the chart with the data source k8sconnect_chart"},
		"a secret elsewhere": {"configMapGenerator: [{name: a, files: [../kubeconfig]}]\n", "here", "", "is not in or below"},
		"no folder":          {"{}", "nowhere", "", `"nowhere" does not exist. Write the folder that has the kustomization.yaml`},
		"an object twice":    {"resources: [web.yaml]\n", "here", "namespace = \"a\"", "core/ConfigMap/a/web is already in document 1"},
		"a namespace":        {"resources: [web.yaml]\n", "here", "namespace = \"A\"", `namespace is "A", which cannot be the name of a namespace`},
		"an empty namespace": {"resources: [web.yaml]\n", "here", "namespace = \"\"", "namespace is empty. Write a name, or leave it out."},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(w.Dir, "here")
			story.Must(t, os.MkdirAll(dir, 0o700))
			story.Must(t, os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(tt.kustomization), 0o600))
			story.Must(t, os.WriteFile(filepath.Join(dir, "web.yaml"), []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: a}\n---\n"+
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"), 0o600))
			w.Configure("data \"k8sconnect_kustomize\" \"a\" {\n  path = \"" + tt.path + "\"\n  " + tt.arguments + "\n}\n")
			out := strings.Join(strings.Fields(strings.ReplaceAll(w.Exits(story.Refused, "plan"), "│", " ")), " ")
			if !strings.Contains(out, tt.says) {
				t.Errorf("the plan does not say %q:\n%s", tt.says, out)
			}
		})
	}
}

// What is known of built-in kinds without a cluster is what the server says of them.
func TestScopesOfBuiltInKinds(t *testing.T) {
	s := story.New(t)
	_, groups, err := s.Typed.Discovery().ServerGroupsAndResources()
	mustDiscover(t, err)
	served, known := map[string]bool{}, map[string]bool{}
	for _, group := range groups {
		if isOfStories(group.GroupVersion) {
			continue
		}
		for _, kind := range group.APIResources {
			if strings.Contains(kind.Name, "/") || !slices.Contains(kind.Verbs, "create") {
				continue
			}
			objects, err := documents.Parse(fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: a}\n", group.GroupVersion, kind.Kind), documents.Options{Namespace: "n"})
			story.Must(t, err)
			name := group.GroupVersion + " " + kind.Kind
			served[name], known[name] = kind.Namespaced, strings.Contains(objects[0].Key, "/n/")
		}
	}
	if len(served) < 30 {
		t.Fatalf("the server has %d kinds", len(served))
	}
	if diff := cmp.Diff(served, known); diff != "" {
		t.Errorf("namespaced kinds (-server +known):\n%s", diff)
	}
	t.Log(slices.Sorted(maps.Keys(served)))
}
