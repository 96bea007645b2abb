package datasources

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/datasource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

type objectModel struct {
	reading.Target
	Optional types.Bool     `tfsdk:"optional"`
	Wait     types.Object   `tfsdk:"wait"`
	Ready    types.Bool     `tfsdk:"ready"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
	reading.Result
}

func (d *objectSource) Schema(ctx context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	all := reading.ObjectAttributes()
	maps.Copy(all, waits.DataSourceAttributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: "Reads any object on the cluster, whoever created it, with one request. The state has " +
			"the object; the data of a Secret are in `secret_data` alone, which is sensitive.",
		Attributes: all,
		Blocks: map[string]schema.Block{
			"timeouts": objectTimeouts(ctx),
		},
	}
}

func objectTimeouts(ctx context.Context) schema.Block {
	block, _ := timeouts.BlockWithOpts(ctx, timeouts.Opts{
		ReadDescription: "How long a read may take, with the wait, as a duration such as `30s` or `5m`. Default: a " +
			"minute; a wait has a limit of its own.",
	}).(schema.SingleNestedBlock)
	read, _ := block.Attributes["read"].(schema.StringAttribute)
	read.Validators = []validator.String{validators.Duration()}
	block.Attributes["read"] = read
	return block
}
