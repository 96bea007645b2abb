package attributes

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// Timeouts returns the block timeouts of a resource, which accepts durations of more than zero.
func Timeouts(ctx context.Context, opts timeouts.Opts) schema.Block {
	block, _ := timeouts.Block(ctx, opts).(schema.SingleNestedBlock)
	for name := range block.Attributes {
		limit, _ := block.Attributes[name].(schema.StringAttribute)
		limit.Validators = []validator.String{validators.Duration()}
		block.Attributes[name] = limit
	}
	return block
}
