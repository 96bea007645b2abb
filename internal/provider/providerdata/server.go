package providerdata

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/attributes"
)

// SameServer reports whether two values of a resource's `cluster` lead to the same URL. It sends nothing, and is
// false where one of them cannot be read.
func (p *Provider) SameServer(ctx context.Context, a, b types.Object) bool {
	first, second := p.server(ctx, a), p.server(ctx, b)
	return first != "" && first == second
}

// server returns the URL that a connection leads to; "" where that cannot be said.
func (p *Provider) server(ctx context.Context, cluster types.Object) string {
	cfg, state, diags := attributes.Decode(ctx, cluster)
	if state == attributes.Absent {
		cfg, state = p.connection.Config, p.state
	}
	if diags.HasError() || state != attributes.Known {
		return ""
	}
	server, err := cfg.Server()
	if err != nil {
		return ""
	}
	return server
}
