package providerdata

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

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
	// These two say something of this object: that it may have been created, or what its create has waited for.
	silent := cluster.ReasonOf(err) == cluster.ReasonUnreachable && !errors.As(err, &unclear) &&
		!errors.As(err, &missing)
	if silent && errors.As(err, &failure) && !p.IsNews(unreachable{failure.Server}) {
		return diagnostics.AlsoUnreachable(operation, id, failure)
	}
	if other, is := errors.AsType[*cluster.OtherClusterError](err); is && !p.IsNews(otherCluster{other.Found}) {
		return diagnostics.AlsoElsewhere(operation, id, other)
	}
	return words.Error(operation, id, err)
}
