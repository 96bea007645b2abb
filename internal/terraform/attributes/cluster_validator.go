package attributes

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Valid reports all contradictions in a connection whose values are all known, each at its attribute. It reads no file
// and no environment variable: the machine that validates a configuration need not be the one that applies it.
func Valid() validator.Object { return validConnection{connect.Config.ValidateShape} }

// validOfProvider does what [Valid] does, for a connection whose credentials may come from the environment.
func validOfProvider() validator.Object { return validConnection{connect.Config.ValidateArguments} }

type validConnection struct {
	problems func(connect.Config) []connect.FieldProblem
}

func (validConnection) Description(context.Context) string {
	return "says in exactly one way how to reach a cluster, and as whom"
}

func (v validConnection) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v validConnection) ValidateObject(
	ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse,
) {
	cfg, state, diags := Decode(ctx, req.ConfigValue)
	resp.Diagnostics.Append(diags...)
	if state == Known {
		resp.Diagnostics.Append(invalid.ConnectionAttributes(req.Path, v.problems(cfg))...)
	}
}
