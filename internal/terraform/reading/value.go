package reading

import (
	"context"
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// precision is the precision of a number in a configuration, in bits.
const precision = 512

// Value returns a decoded JSON value as a Terraform value: objects, tuples, strings, numbers, bools and nulls.
func Value(of any) attr.Value {
	switch of := of.(type) {
	case map[string]any:
		kinds, values := make(map[string]attr.Type, len(of)), make(map[string]attr.Value, len(of))
		for name, part := range of {
			values[name] = Value(part)
			kinds[name] = values[name].Type(context.Background())
		}
		return types.ObjectValueMust(kinds, values)
	case []any:
		kinds, values := make([]attr.Type, len(of)), make([]attr.Value, len(of))
		for i, item := range of {
			values[i] = Value(item)
			kinds[i] = values[i].Type(context.Background())
		}
		return types.TupleValueMust(kinds, values)
	case string:
		return types.StringValue(of)
	case bool:
		return types.BoolValue(of)
	case int64:
		return types.NumberValue(new(big.Float).SetInt64(of))
	case float64:
		return types.NumberValue(decimal(of))
	default:
		return types.DynamicNull()
	}
}

// decimal returns the number of the shortest decimal form of a float64, as a configuration parses it: 0.1, and not the
// nearest binary fraction.
func decimal(of float64) *big.Float {
	number, _, err := big.ParseFloat(strconv.FormatFloat(of, 'g', -1, 64), 10, precision, big.ToNearestEven)
	if err != nil { // JSON has neither infinities nor NaN.
		return big.NewFloat(of)
	}
	return number
}
