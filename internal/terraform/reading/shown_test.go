package reading

import (
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// number returns what a configuration makes of digits.
func number(t *testing.T, digits string) attr.Value {
	t.Helper()
	parsed, _, err := big.ParseFloat(digits, 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return types.NumberValue(parsed)
}

func TestValue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		of   any
		want attr.Value
	}{
		"a large integer": {int64(9007199254740993), number(t, "9007199254740993")},
		"a fraction":      {0.1, number(t, "0.1")},
		"a small one":     {1e-7, number(t, "0.0000001")},
		"a text":          {"a", types.StringValue("a")},
		"a bool":          {true, types.BoolValue(true)},
		"a null":          {nil, types.DynamicNull()},
		"an empty list":   {[]any{}, types.TupleValueMust([]attr.Type{}, []attr.Value{})},
		"a list": {[]any{"a", nil}, types.TupleValueMust(
			[]attr.Type{types.StringType, types.DynamicType}, []attr.Value{types.StringValue("a"), types.DynamicNull()})},
		"a map": {map[string]any{"a.b/c": "x"}, types.ObjectValueMust(
			map[string]attr.Type{"a.b/c": types.StringType}, map[string]attr.Value{"a.b/c": types.StringValue("x")})},
	} {
		if got := Value(test.of); !got.Equal(test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// An object is shown without managedFields, and the object itself, which other readers may see, does not change.
func TestShownChangesNothing(t *testing.T) {
	t.Parallel()
	secret := func() *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"a": "eA=="}, "metadata": map[string]any{
				"name": "web", "managedFields": []any{}, "annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": "{}", "note": "kept"},
			},
		}}
	}
	live, untouched := secret(), secret()
	without := Value(Shown(live, WithoutData))
	if !Value(live.Object).Equal(Value(untouched.Object)) {
		t.Errorf("the object became %v", live.Object)
	}
	want := Value(map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "web", "annotations": map[string]any{"note": "kept"}}})
	if !without.Equal(want) {
		t.Errorf("shown is %s, want %s", without, want)
	}
	delete(untouched.Object["metadata"].(map[string]any), "managedFields")
	if got := Value(Shown(live, WithData)); !got.Equal(Value(untouched.Object)) {
		t.Errorf("with its data, shown is %s", got)
	}
}
