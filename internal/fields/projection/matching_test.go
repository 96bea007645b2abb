package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestLists(t *testing.T) {
	t.Parallel()
	object := map[string]any{"spec": map[string]any{
		"ports":    []any{map[string]any{"port": int64(80)}, map[string]any{"port": int64(81), "name": "b"}},
		"colours":  []any{"red", "blue"},
		"args":     []any{"-v"},
		"free":     []any{"a"},
		"none":     []any{},
		"null":     nil,
		"replicas": int64(3),
		"containers": []any{
			map[string]any{"name": "a", "ports": []any{map[string]any{"p": int64(1)}}},
			map[string]any{"name": "b", "ports": []any{}},
		},
	}}
	known, err := paths.ParseSet([]byte(`{"f:spec": {"f:ports": {"k:{\"port\":80}": {".": {}}}, "f:colours": {"v:\"red\"": {}}, "f:args": {}, "f:none": {}, "f:replicas": {},
		"f:containers": {"k:{\"name\":\"a\"}": {"f:ports": {"k:{\"p\":1}": {".": {}}}}, "k:{\"name\":\"b\"}": {".": {}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"spec.ports":                      {"spec.ports Associative [port=80] [port=81]"},
		"spec.colours":                    {`spec.colours Associative [="red"] [="blue"]`},
		"spec.args":                       {"spec.args AtomicList [0]"},
		"spec.free":                       {"spec.free Associative [0]"},
		"spec.none":                       {"spec.none Associative"},
		"spec.null":                       {"spec.null Associative"},
		"spec.replicas":                   {"spec.replicas NoList"},
		"spec.containers[*].ports":        {`spec.containers[name="a"].ports Associative [p=1]`, `spec.containers[name="b"].ports Associative`},
		`spec.containers[name="b"].ports`: {`spec.containers[name="b"].ports Associative`},
		"spec.missing":                    nil,
	} {
		pattern, err := paths.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, list := range Lists(object, pattern, known) {
			line := paths.Format(list.Path) + " " + string(list.Form)
			for _, entry := range list.Entries {
				line += " " + paths.Format(paths.Path{entry})
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
