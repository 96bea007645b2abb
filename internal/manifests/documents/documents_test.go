package documents_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n"
	role   = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: system:reader\n"
	gauge  = "apiVersion: tides.example.com/v1\nkind: Gauge\nmetadata:\n  name: brest\n"
)

func definition(scope string) string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: gauges.tides.example.com\n" +
		"spec:\n  group: tides.example.com\n  scope: " + scope + "\n  names: {kind: Gauge, plural: gauges}\n"
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text, namespace string
		// want are the keys.
		want []string
	}{
		"nothing":                                          {"# nothing\n", "", nil},
		"a namespaced kind without a namespace":            {config, "", []string{"core/ConfigMap//settings"}},
		"a namespace for it":                               {config, "tides", []string{"core/ConfigMap/tides/settings"}},
		"the namespace in the text wins":                   {config + "  namespace: other\n", "tides", []string{"core/ConfigMap/other/settings"}},
		"a cluster-scoped kind gets none":                  {role, "tides", []string{"rbac.authorization.k8s.io/ClusterRole//system:reader"}},
		"a namespace of a cluster-scoped kind":             {role + "  namespace: other\n", "", []string{"rbac.authorization.k8s.io/ClusterRole//system:reader"}},
		"a Namespace":                                      {"apiVersion: v1\nkind: Namespace\nmetadata: {name: tides}\n", "tides", []string{"core/Namespace//tides"}},
		"an APIService":                                    {"apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.a}\n", "tides", []string{"apiregistration.k8s.io/APIService//v1.a"}},
		"a kind whose definition follows: namespaced":      {gauge + "---\n" + definition("Namespaced"), "tides", []string{"tides.example.com/Gauge/tides/brest", "apiextensions.k8s.io/CustomResourceDefinition//gauges.tides.example.com"}},
		"a kind whose definition follows: cluster-scoped":  {gauge + "---\n" + definition("Cluster"), "tides", []string{"tides.example.com/Gauge//brest", "apiextensions.k8s.io/CustomResourceDefinition//gauges.tides.example.com"}},
		"a kind that nobody knows counts as namespaced":    {gauge, "tides", []string{"tides.example.com/Gauge/tides/brest"}},
		"a kind that nobody knows, without a namespace":    {gauge, "", []string{"tides.example.com/Gauge//brest"}},
		"one name in two namespaces, of two kinds":         {config + "---\n" + config + "  namespace: other\n---\n" + strings.Replace(config, "ConfigMap", "Secret", 1), "", []string{"core/ConfigMap//settings", "core/ConfigMap/other/settings", "core/Secret//settings"}},
		"a version that this client does not know is kept": {"apiVersion: apps/v9\nkind: Deployment\nmetadata: {name: web}\n", "tides", []string{"apps/Deployment/tides/web"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := documents.Parse(tt.text, documents.Options{Namespace: tt.namespace})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, object := range objects {
				got = append(got, object.Key)
				alone, err := manifest.Parse(object.Text)
				if err != nil {
					t.Fatalf("%v in:\n%s", err, object.Text)
				}
				if want := strings.Split(object.Key, "/"); want[2] != "" && alone.Namespace != want[2] || alone.Name != want[3] || len(want) != 4 {
					t.Errorf("%s is %s", object.Key, alone)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTwice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, namespace, want string }{
		"two documents": {
			config + "---\n" + role + "---\n# again\n" + config, "",
			"document 3 (line 12): core/ConfigMap//settings is already in document 1 (line 1). Remove one of them.",
		},
		"by the namespace that is filled in": {
			config + "---\n" + config + "  namespace: tides\n", "tides",
			"document 2 (line 6): core/ConfigMap/tides/settings is already in document 1 (line 1). Remove one of them.",
		},
		"in two versions": {
			"apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: web}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n", "",
			"document 2 (line 5): apps/Deployment//web is already in document 1 (line 1). Remove one of them.",
		},
		"in a List": {
			config + "---\napiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: other}\n- metadata: {name: settings}\n", "",
			"document 2, item 2 (line 10): core/ConfigMap//settings is already in document 1 (line 1). Remove one of them.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := documents.Parse(tt.text, documents.Options{Namespace: tt.namespace})
			var fault *manifest.Error
			if !errors.As(err, &fault) || fault.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// The halves of a split are those of the options, and what IsSecret says.
func TestSplit(t *testing.T) {
	t.Parallel()
	text := config + "---\napiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: settings}\n---\napiVersion: example.com/v1\nkind: Secret\nmetadata: {name: a}\n"
	all, err := documents.Parse(text, documents.Options{Namespace: "tides"})
	if err != nil {
		t.Fatal(err)
	}
	others, secrets := documents.Split(all)
	for option, got := range map[string]map[string]string{documents.WithoutSecrets: others, documents.OnlySecrets: secrets} {
		want, err := documents.Parse(text, documents.Options{Namespace: "tides", Secrets: option})
		if diff := cmp.Diff(documents.Texts(want), got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", option, err, diff)
		}
	}
	if _, has := secrets["core/Secret/tides/settings"]; !has || len(secrets) != 1 || len(others) != 2 {
		t.Errorf("Secrets %v, others %v", secrets, others)
	}
}

func TestCheckOptions(t *testing.T) {
	t.Parallel()
	for namespace, want := range map[string]string{"": "", "tides": "", "1": "", "Tides": `namespace is "Tides"`, "a/b": `namespace is "a/b"`, "a\nb": `namespace is "a\nb"`} {
		if got := (documents.Options{Namespace: namespace}).Check(); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%q: %q, want %q", namespace, got, want)
		}
	}
}
