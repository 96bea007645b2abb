package blame

import (
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
)

// read returns an object of testdata, as kubectl printed it, with the entries of its managedFields.
func read(t *testing.T, file string) (map[string]any, []metav1.ManagedFieldsEntry) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	object, entries, err := ParseObject(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return object, entries
}

func TestAnnotatedYAML(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file, golden string
		query        Query
	}{
		"a Deployment that five managers touched": {file: "deployment.yaml", golden: "deployment.golden.yaml"},
		"the same with its status":                {file: "deployment.yaml", golden: "status.golden.yaml", query: Query{Status: WithStatus}},
		"a part of it": {
			file: "deployment.yaml", golden: "part.golden.yaml",
			query: Query{Path: patterns(t, `spec.template.spec.containers[name="app"].env`), Manager: "flux"},
		},
		"nothing of it": {file: "deployment.yaml", golden: "nothing.golden.yaml", query: Query{Path: patterns(t, "spec.paused")}},
		"texts of all kinds, and too many owners": {file: "configmap.yaml", golden: "configmap.golden.yaml"},
		"a Secret": {file: "secret.yaml", golden: "secret.golden.yaml"},
		"sets, maps, atomic lists and stale fields": {file: "gadget.yaml", golden: "gadget.golden.yaml"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object, entries := read(t, tt.file)
			report, err := Read(object, entries, tt.query)
			if err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, tt.golden, report.AnnotatedYAML)
		})
	}
}

func patterns(t *testing.T, texts ...string) paths.Patterns {
	t.Helper()
	parsed, err := paths.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
