package attributes

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestDecodeObject(t *testing.T) {
	t.Parallel()
	number := func(text string) types.Number {
		value, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		return types.NumberValue(value)
	}
	list := func(items ...attr.Value) attr.Value {
		kinds := make([]attr.Type, len(items))
		for i, item := range items {
			kinds[i] = item.Type(t.Context())
		}
		return types.TupleValueMust(kinds, items)
	}
	for name, tt := range map[string]struct {
		value     attr.Value
		want      any
		undecided map[string]bool
	}{
		"whole numbers":              {list(number("2"), number("2.0"), number("9223372036854775807")), []any{int64(2), int64(2), int64(9223372036854775807)}, nil},
		"others":                     {list(number("0.1"), number("9223372036854775808")), []any{0.1, float64(9223372036854775808)}, nil},
		"nulls":                      {list(types.StringValue("a"), types.StringNull(), types.DynamicNull(), types.BoolValue(true)), []any{"a", true}, nil},
		"a map":                      {types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringValue("1"), "b": types.StringNull()}), map[string]any{"a": "1"}, nil},
		"a set":                      {types.SetValueMust(types.StringType, []attr.Value{types.StringValue("1")}), []any{"1"}, nil},
		"a value in a dynamic one":   {list(types.DynamicValue(types.StringValue("a"))), []any{"a"}, nil},
		"values that are not known":  {list(types.StringNull(), types.StringUnknown(), types.NumberUnknown(), types.BoolUnknown()), []any{"1000", int64(1), true}, map[string]bool{"in[0]": false, "in[1]": false, "in[2]": false}},
		"an item that may be a map":  {list(types.StringUnknown(), types.DynamicUnknown()), nil, map[string]bool{"in": true}},
		"a map that is not known":    {types.MapUnknown(types.StringType), nil, map[string]bool{"in": true}},
		"an object that is not":      {types.ObjectUnknown(nil), nil, map[string]bool{"in": true}},
		"something of unknown types": {types.DynamicUnknown(), nil, map[string]bool{"in": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := types.ObjectValueMust(map[string]attr.Type{"in": tt.value.Type(t.Context())}, map[string]attr.Value{"in": tt.value})
			got, err := DecodeObject(types.DynamicValue(object))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Object["in"]); diff != "" {
				t.Errorf("the value (-want +got):\n%s", diff)
			}
			undecided := map[string]bool{}
			for _, value := range got.Undecided {
				undecided[paths.Format(value.At)] = value.IsOpen
			}
			if diff := cmp.Diff(tt.undecided, undecided); diff != "" && len(tt.undecided)+len(undecided) > 0 {
				t.Errorf("undecided values, and whether they may be maps (-want +got):\n%s", diff)
			}
		})
	}
	for _, value := range []types.Dynamic{types.DynamicNull(), types.DynamicUnknown()} {
		if got, err := DecodeObject(value); err != nil || got.Object != nil {
			t.Errorf("%s is %v, %v", value, got.Object, err)
		}
	}
	if _, err := DecodeObject(types.DynamicValue(types.StringValue("kind: ConfigMap"))); err == nil {
		t.Error("a text is accepted")
	}
}
