package providerdata

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// exposed warns of a connection that other parties could read, once in a run.
func (p *Provider) exposed(client *kube.Client, of connection) diag.Diagnostics {
	var diags diag.Diagnostics
	if !p.IsNews(client) {
		return nil
	}
	for _, e := range client.Connection().SecurityWarnings {
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

// unreachable is the key of a server about which a full error was already printed.
type unreachable struct{ server string }

// otherCluster is the key of a cluster about which a full error was already printed, because it is not that of the
// state.
type otherCluster struct{ uid string }

// Explain returns the diagnostic for a failed operation on an object. If a server does not answer, or is the wrong
// cluster, the operations on all its objects fail: the first error of a run explains that in full, and all later ones
// in one line.
func (p *Provider) Explain(
	words diagnostics.Names, operation diagnostics.Operation, id manifest.Identity, err error,
) diag.Diagnostic {
	var failure *cluster.UnreachableError
	var unclear *cluster.OutcomeUnknownError
	var missing *run.StillMissingError
	// These two errors are about this object: it may have been created, or its create has waited for something.
	silent := cluster.ReasonOf(err) == cluster.ReasonUnreachable && !errors.As(err, &unclear) &&
		!errors.As(err, &missing)
	if silent && errors.As(err, &failure) && !p.IsNews(unreachable{failure.Server}) {
		return diagnostics.AlsoUnreachable(operation, id, failure)
	}
	if other, is := errors.AsType[*cluster.OtherClusterError](err); is && !p.IsNews(otherCluster{other.Found}) {
		return diagnostics.AlsoElsewhere(operation, id, other)
	}
	if !p.withoutDryRun && p.run.Rounds.Current() != run.SecondRound {
		words.PlanWithoutDryRun = "plan_without_dry_run"
	}
	return words.Error(operation, id, err)
}
