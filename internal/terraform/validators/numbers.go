package validators

import (
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Between accepts whole numbers from least to most.
func Between(least, most int64) validator.Int64 {
	accepts := fmt.Sprintf("a number from %d to %d", least, most)
	if most == math.MaxInt64 {
		accepts = fmt.Sprintf("%d or more", least)
	}
	return between{Described(accepts), least, most}
}

// AtLeast accepts whole numbers that are not less than least.
func AtLeast(least int64) validator.Int64 { return Between(least, math.MaxInt64) }

type between struct {
	Described
	least, most int64
}

func (b between) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	switch value := req.ConfigValue.ValueInt64(); {
	case value < b.least:
		resp.Diagnostics.Append(invalid.Value(req.Path, b.sentence(req.Path, value, "small")))
	case value > b.most:
		resp.Diagnostics.Append(invalid.Value(req.Path, b.sentence(req.Path, value, "large")))
	}
}

func (b between) sentence(at path.Path, value int64, what string) string {
	return fmt.Sprintf("%s: %d is too %s.\n\nWrite %s.", nameOf(at), value, what, b.Described)
}

// AtLeastFloat accepts numbers that are not less than least.
func AtLeastFloat(least float64) validator.Float64 {
	return atLeast{Described(fmt.Sprintf("%v or more", least)), least}
}

type atLeast struct {
	Described
	least float64
}

func (a atLeast) ValidateFloat64(_ context.Context, req validator.Float64Request, resp *validator.Float64Response) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.ValueFloat64() >= a.least {
		return
	}
	resp.Diagnostics.Append(invalid.Value(req.Path, fmt.Sprintf(
		"%s: %v is too small.\n\nWrite %s.", nameOf(req.Path), req.ConfigValue.ValueFloat64(), a.Described)))
}
