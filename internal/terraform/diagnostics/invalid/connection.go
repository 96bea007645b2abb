package invalid

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

const (
	connectionSummary = "Invalid Cluster Connection"
	exposedSummary    = "Exposed Cluster Connection"
	missingSummary    = "No Cluster Configured"
	unknownSummary    = "Cluster Connection Unknown"
)

// Connection returns the error of a connection that cannot be used, if no attribute of the resource causes it.
func Connection(detail string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(connectionSummary, detail)
}

// UndecodedConnection returns the error of a connection that the provider cannot decode.
func UndecodedConnection(attribute string, err error) diag.Diagnostic {
	return Connection("The value of `" + attribute + "` cannot be read: " + err.Error() + ". " + diagnostics.ReportBug)
}

// ConnectionAttributes returns the problems of a connection, each at the attribute that it concerns.
func ConnectionAttributes(cluster path.Path, problems []connect.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, p := range problems {
		at, detail := cluster, p.Problem
		if p.Attribute != "" {
			for _, step := range strings.Split(p.Attribute, ".") {
				at = at.AtName(step)
			}
			detail = "`" + cluster.String() + "." + p.Attribute + "` " + p.Problem
		}
		diags.AddAttributeError(at, connectionSummary, detail+"\n\n"+p.Suggestion)
	}
	return diags
}

// InheritedConnection returns the error of a resource that uses an invalid connection of the provider. attribute is the
// one with the problem; "" if the problem is about the connection as a whole.
func InheritedConnection(attribute string, problem connect.FieldProblem) diag.Diagnostic {
	detail := "The provider's connection, which this resource uses, is not usable. " + problem.Problem
	if attribute != "" {
		detail = "In the provider's connection, which this resource uses, `" + attribute + "` " + problem.Problem
	}
	return Connection(detail + "\n\n" + problem.Suggestion)
}

// Exposed warns of a resource's own connection that other parties could read.
func Exposed(cluster path.Path, problem connect.FieldProblem) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(cluster.AtName(problem.Attribute), exposedSummary,
		"`"+cluster.String()+"."+problem.Attribute+"` "+problem.Problem+"\n\n"+problem.Suggestion)
}

// ExposedProvider warns of a connection of the provider that other parties could read. attribute is the one with the
// problem.
func ExposedProvider(attribute string, problem connect.FieldProblem) diag.Diagnostic {
	return diag.NewWarningDiagnostic(exposedSummary,
		"In the provider's connection, `"+attribute+"` "+problem.Problem+"\n\n"+problem.Suggestion)
}

// ClusterName returns the error about a name in clusters of the provider. problem follows "which".
func ClusterName(clusters path.Path, name, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(clusters.AtMapKey(name), "Invalid Cluster Name", fmt.Sprintf(
		"`clusters` has the name %q, which %s.\n\nName the cluster otherwise, for example after its kubeconfig "+
			"context.",
		name, problem))
}

// NoSuchCluster returns the error about a name that is not among the provider's clusters.
func NoSuchCluster(name string, clusters []string) diag.Diagnostic {
	seen := "the provider's configuration has no `clusters`"
	if len(clusters) > 0 {
		seen = "`clusters` of the provider has " + firstOf(clusters)
	}
	next := fmt.Sprintf("Add its connection to the provider's configuration:\n\n    clusters = {\n"+
		"      %[1]q = { config_path = \"~/.kube/config\", context = %[1]q }\n    }", name)
	if nearest := paths.SimilarNames(name, clusters); len(nearest) > 0 {
		next = fmt.Sprintf("Did you mean %q? If not, add its connection to `clusters`.", nearest[0])
	}
	return clusterNotConfigured(fmt.Sprintf("There is no cluster %q: %s.\n\n%s\n\nObjects that are in the state stay "+
		"on their cluster. Keep the cluster's line until they are destroyed, or until an apply has given them "+
		"another cluster_name for the same cluster. To forget them without deleting them, for example because the "+
		"cluster no longer exists, use a removed block with destroy = false, or terraform state rm.",
		name, seen, next))
}

// AlsoNoSuchCluster returns a short error about a name that [NoSuchCluster] has explained in this run.
func AlsoNoSuchCluster(name string) diag.Diagnostic {
	return clusterNotConfigured(fmt.Sprintf("There is no cluster %q.\n\nSee the first error about this cluster.", name))
}

func clusterNotConfigured(detail string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("cluster_name"), "Cluster Not Configured", detail)
}

// firstOf returns the first ten names in quotes, and the number of the remaining ones.
func firstOf(names []string) string {
	shown := names[:min(diagnostics.Most, len(names))]
	text := diagnostics.QuoteList(shown)
	if more := len(names) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// NoCluster returns the error of a resource without a connection. hint is advice from the environment; "" without any.
func NoCluster(hint string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(missingSummary, diagnostics.Paragraphs(
		"Neither this resource nor the provider says which cluster to use, and the environment variables "+
			connect.EnvConfigPath+" and "+connect.EnvHost+" are not set.",
		hint,
		"Set the connection once, in the provider's configuration:\n\n    provider \"k8sconnect\" {\n      cluster = "+
			"{\n        config_path = \"~/.kube/config\"\n        context     = \"my-cluster\"\n      }\n    }\n\nor "+
			"give this resource a `cluster` attribute of the same form, or the `cluster_name` of one of the "+
			"provider's `clusters`."))
}

// Arrival is the way in which an object enters the state, other than a create. Terraform does not pass the
// configuration of the resource to these operations.
type Arrival string

// The arrivals.
const (
	Import Arrival = "import"
	Move   Arrival = "move"
)

// done returns the arrival as a participle.
func (a Arrival) done() string { return strings.TrimSuffix(string(a), "e") + "ed" }

// subject returns the arrival as the subject of a sentence.
func (a Arrival) subject() string {
	if a == Import {
		return "An import"
	}
	return "A move"
}

// NoCluster returns the error of an arrival without a connection.
func (a Arrival) NoCluster(object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(missingSummary, fmt.Sprintf(
		"%[1]s could not be %[2]s: the provider has no `cluster`, and the environment variable %[3]s is not set. "+
			"%[6]s cannot use the `cluster` of the resource, because Terraform does not pass it on.\n\n"+
			"Set %[3]s and %[5]s for the %[4]s, or set `cluster` in the provider's configuration. The resource can "+
			"keep its own `cluster`: the plan after the %[4]s uses it, and checks that it has the same object. If the "+
			"provider has `clusters`, name one of them in the import: cluster=NAME begins an ID, and cluster_name is "+
			"in an identity.",
		object, a.done(), connect.EnvConfigPath, a, connect.EnvContext, a.subject()))
}

// ConnectionUnknown returns the error of an arrival with a connection that is known only after the apply.
func (a Arrival) ConnectionUnknown(object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(unknownSummary, object+" cannot be "+a.done()+
		" while the cluster connection is only known after the apply.\n\nCreate what the connection depends on first.")
}
