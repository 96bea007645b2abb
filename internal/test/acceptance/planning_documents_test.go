package acceptance_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// staged applies the four maps of something one after the other.
func staged(from string) string {
	var text strings.Builder
	before := ""
	for _, stage := range []string{"crds", "namespaces", "cluster", "namespaced"} {
		fmt.Fprintf(&text, "resource \"k8sconnect_manifest\" %q {\n  for_each   = %s.%s\n  yaml_body  = each.value\n  depends_on = [%s]\n}\n", stage, from, stage, before)
		before = "k8sconnect_manifest." + stage
	}
	return text.String()
}

// The text has every object before what it needs.
func textOfStages(s *story.Story) string {
	return s.Expand(strings.Join([]string{
		"# What the authors publish.",
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings # of the tides\ndata: {a: '1'}\n",
		"apiVersion: NS.example.com/v1\nkind: Widget\nmetadata: {name: web}\nspec: {size: 5}\n",
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: NS-reader\nrules: [{apiGroups: [\"\"], resources: [pods], verbs: [get]}]\n",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n  metadata: {name: NS-tides}\n",
		story.WidgetDefinition,
	}, "\n---\n"))
}

var textOfStagesTargets = []string{
	"apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", "v1 Namespace NS-tides",
	"rbac.authorization.k8s.io/v1 ClusterRole NS-reader", "v1 ConfigMap NS-tides/settings", "NS.example.com/v1 Widget NS-tides/web",
}

// A definition, its custom resource, a namespace and what is in it go through one apply.
func TestStagesOfAText(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	story.Must(t, os.WriteFile(filepath.Join(w.Dir, "install.yaml"), []byte(textOfStages(s)), 0o600))
	w.Configure("locals {\n  stages = provider::k8sconnect::stages(file(\"install.yaml\"), { namespace = \"" + s.Expand("NS-tides") + "\" })\n}\n" + staged("local.stages"))
	appliesInStages(w, textOfStagesTargets)
}

// A kustomization gives its objects prefixes, and a ConfigMap a name that has a digest of its values.
func TestStagesOfAKustomization(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	for name, content := range map[string]string{
		"base/kustomization.yaml":    "resources: [install.yaml]\n",
		"base/install.yaml":          textOfStages(s),
		"overlay/kustomization.yaml": "namePrefix: shop-\nresources: [../base]\nconfigMapGenerator: [{name: generated, literals: [a=1]}]\n",
	} {
		file := filepath.Join(w.Dir, name)
		story.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		story.Must(t, os.WriteFile(file, []byte(content), 0o600))
	}
	w.Configure("data \"k8sconnect_kustomize\" \"shop\" {\n  path = \"${path.module}/overlay\"\n  namespace = \"" + s.Expand("NS-tides") + "\"\n}\n" +
		staged("data.k8sconnect_kustomize.shop") + "output \"same\" {\n  value = toset(keys(data.k8sconnect_kustomize.shop.documents)) == toset(concat([for stage in [\"crds\", \"namespaces\", \"cluster\", \"namespaced\"] : " +
		"keys(data.k8sconnect_kustomize.shop[stage])]...))\n}\n")
	appliesInStages(w, []string{
		"apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", "v1 Namespace NS-tides",
		"rbac.authorization.k8s.io/v1 ClusterRole shop-NS-reader", "v1 ConfigMap NS-tides/shop-settings", "NS.example.com/v1 Widget NS-tides/shop-web",
		"v1 ConfigMap NS-tides/shop-generated-h29d89cmmt",
	})
}

func appliesInStages(w *story.Workspace, targets []string) {
	w.T.Helper()
	defer w.Do("destroy", "-auto-approve")
	out := w.Do("apply", "-auto-approve")
	// One warning is about the development override.
	if !strings.Contains(out, fmt.Sprintf("%d added", len(targets))) || strings.Count(out, "Warning:") > 1 {
		w.T.Errorf("the apply of %d objects says:\n%s", len(targets), out)
	}
	for _, target := range targets {
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
			w.Configure("data \"k8sconnect_kustomize\" \"a\" {\n  path = \"" + tt.path + "\"\n  " + tt.arguments + "\n}\n" + staged("data.k8sconnect_kustomize.a"))
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
			served[name], known[name] = kind.Namespaced, objects[0].Stage == documents.Namespaced
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
