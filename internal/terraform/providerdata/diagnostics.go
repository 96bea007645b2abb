package providerdata

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

const (
	missingSummary = "No Cluster Configured"
	exposedSummary = "Exposed Cluster Connection"

	missingDetail = "Neither this resource nor the provider says which cluster to use, and the environment variables " +
		connect.EnvConfigPath + " and " + connect.EnvHost + " are not set.\n\n"

	missingSuggestion = "Write the connection once, in the provider's configuration:\n\n" +
		"    provider \"k8sconnect\" {\n" +
		"      cluster = {\n" +
		"        config_path = \"~/.kube/config\"\n" +
		"        context     = \"my-cluster\"\n" +
		"      }\n" +
		"    }\n\n" +
		"or give this resource a `cluster` attribute of the same form, or the `cluster_name` of one of the provider's `clusters`."
)

// missing returns the error of a resource without a connection.
func (p *Provider) missing() diag.Diagnostic {
	detail := missingDetail
	if p.hint != "" {
		detail += p.hint + "\n\n"
	}
	return diag.NewErrorDiagnostic(missingSummary, detail+missingSuggestion)
}

// Arrival is the way in which an object enters the state, other than a create. Terraform does not pass the
// configuration of the resource to these operations.
type Arrival string

// The arrivals.
const (
	Import Arrival = "import"
	Move   Arrival = "move"
)

// Done returns the arrival as a participle.
func (a Arrival) Done() string { return strings.TrimSuffix(string(a), "e") + "ed" }

// subject returns the arrival as the subject of a sentence.
func (a Arrival) subject() string {
	if a == Import {
		return "An import"
	}
	return "A move"
}

// MissingFor returns the error of an arrival without a connection.
func MissingFor(arrival Arrival, object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(missingSummary, fmt.Sprintf("%[1]s could not be %[2]s: the provider has no `cluster`, and the environment "+
		"variable %[3]s is not set. %[6]s cannot use the `cluster` of the resource, because Terraform does not pass it on.\n\n"+
		"Set %[3]s and %[5]s for the %[4]s, or write `cluster` into the provider's configuration. The resource can "+
		"keep its own `cluster`: the plan after the %[4]s uses it, and checks that it has the same object. If the provider has `clusters`, begin the import ID with "+
		"cluster=NAME, where NAME is one of them.",
		object, arrival.Done(), connect.EnvConfigPath, arrival, connect.EnvContext, arrival.subject()))
}

// exposed warns of a connection that other parties could read, once in a run.
func (p *Provider) exposed(client *kube.Client, of connection) diag.Diagnostics {
	var diags diag.Diagnostics
	if !p.IsNews(client) {
		return nil
	}
	for _, e := range client.SecurityWarnings() {
		if of.source != fromResource {
			e = of.Variables.Rename(e)
			diags.AddWarning(exposedSummary, "In the provider's connection, `"+of.name(e.Attribute)+"` "+e.Problem+"\n\n"+e.Suggestion)
			continue
		}
		diags.AddAttributeWarning(path.Root(attributes.AttributeName).AtName(e.Attribute), exposedSummary,
			"`"+attributes.AttributeName+"."+e.Attribute+"` "+e.Problem+"\n\n"+e.Suggestion)
	}
	return diags
}

// inherited returns the errors of a resource that uses an invalid connection of the provider.
func (c connection) inherited(problems []connect.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, problem := range problems {
		problem = c.Variables.Rename(problem)
		detail := "The provider's connection, which this resource uses, is not usable. " + problem.Problem
		if problem.Attribute != "" {
			detail = "In the provider's connection, which this resource uses, `" + c.name(problem.Attribute) + "` " + problem.Problem
		}
		diags.Append(attributes.InvalidConnection(detail + "\n\n" + problem.Suggestion))
	}
	return diags
}
