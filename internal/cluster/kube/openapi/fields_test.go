package openapi

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// gadget returns the schema of a kind with a few fields.
func gadget(t *testing.T) *Kind {
	t.Helper()
	var published schemas
	if err := json.Unmarshal([]byte(`{
		"com.example.v1.Gadget": {
			"x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Gadget"}],
			"properties": {"spec": {"$ref": "#/components/schemas/com.example.v1.GadgetSpec"}, "status": {"properties": {"image": {"type": "string"}}}}},
		"com.example.v1.GadgetSpec": {"properties": {
			"replicas": {"type": "integer"},
			"limit": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}]},
			"mode": {"type": "string", "enum": ["on", "off"]},
			"level": {"type": "integer", "minimum": 1, "maximum": 5, "exclusiveMaximum": true},
			"code": {"type": "string", "pattern": "^[a-z]+$", "minLength": 2, "maxLength": 4},
			"labels": {"additionalProperties": {"type": "string"}},
			"free": {"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}},
			"containers": {"type": "array", "items": {"properties": {"image": {"type": "string"}}}}}},
		"io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"}
	}`), &published); err != nil {
		t.Fatal(err)
	}
	kind := published.kinds()[schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Gadget"}]
	if kind == nil {
		t.Fatal("the kind is not found")
	}
	return kind
}

func TestUndeclared(t *testing.T) {
	t.Parallel()
	body := map[string]any{
		"spec": map[string]any{
			"replica": int64(1), "image": "web", "labels": map[string]any{"any": "x"}, "free": map[string]any{"any": "x"},
			"containers": []any{map[string]any{"image": "web", "a.b": "x"}},
		},
	}
	want := []cluster.UndeclaredField{
		{Path: `spec.containers[0]["a.b"]`},
		{Path: "spec.image", Nearest: []string{"spec.containers[*].image"}},
		{Path: "spec.replica", Nearest: []string{"spec.replicas"}},
	}
	if diff := cmp.Diff(want, gadget(t).Undeclared(body)); diff != "" {
		t.Errorf("undeclared (-want +got):\n%s", diff)
	}
}

func TestMistyped(t *testing.T) {
	t.Parallel()
	kind := gadget(t)
	for name, tt := range map[string]struct {
		spec map[string]any
		want []cluster.FieldProblem
	}{
		"all can be read":        {map[string]any{"replicas": float64(2), "limit": "10Mi"}, nil},
		"a fraction":             {map[string]any{"replicas": 2.5}, []cluster.FieldProblem{{Field: "spec.replicas", Problem: Unreadable}}},
		"a quantity with a typo": {map[string]any{"limit": "10Mb"}, []cluster.FieldProblem{{Field: "spec.limit", Problem: Unreadable}}},
		"another type":           {map[string]any{"replicas": "two"}, []cluster.FieldProblem{{Field: "spec.replicas", Problem: "expected numeric"}}},
		"no limit is broken":     {map[string]any{"mode": "on", "level": int64(4), "code": "abc"}, nil},
		"an unsupported value":   {map[string]any{"mode": "auto"}, []cluster.FieldProblem{{Field: "spec.mode", Problem: "supported values: on, off"}}},
		"too small and too long": {map[string]any{"level": int64(0), "code": "abcde"}, []cluster.FieldProblem{{Field: "spec.code", Problem: "may have at most 4 characters"}, {Field: "spec.level", Problem: "has to be at least 1"}}},
		"too large and no match": {map[string]any{"level": float64(5), "code": "A1"}, []cluster.FieldProblem{{Field: "spec.code", Problem: "has to match ^[a-z]+$"}, {Field: "spec.level", Problem: "has to be less than 5"}}},
		"both":                   {map[string]any{"limit": "10Mb", "replicas": 2.5}, []cluster.FieldProblem{{Field: "spec.limit", Problem: Unreadable}, {Field: "spec.replicas", Problem: Unreadable}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := kind.Mistyped(map[string]any{"spec": tt.spec}); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
