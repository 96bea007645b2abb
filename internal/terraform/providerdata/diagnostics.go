package providerdata

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// exposed warns of a connection that other parties could read, once in a run.
func (p *Provider) exposed(client *kube.Client, of connection) diag.Diagnostics {
	var diags diag.Diagnostics
	if !p.IsNews(client) {
		return nil
	}
	for _, e := range client.SecurityWarnings() {
		if of.source != fromResource {
			e = of.Variables.Rename(e)
			diags.Append(invalid.ExposedProvider(of.name(e.Attribute), e))
			continue
		}
		diags.Append(invalid.Exposed(path.Root(attributes.AttributeName), e))
	}
	return diags
}

// inherited returns the errors of a resource that uses an invalid connection of the provider.
func (c connection) inherited(problems []connect.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, problem := range problems {
		problem = c.Variables.Rename(problem)
		attribute := problem.Attribute
		if attribute != "" {
			attribute = c.name(attribute)
		}
		diags.Append(invalid.InheritedConnection(attribute, problem))
	}
	return diags
}
