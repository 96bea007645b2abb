package providerdata

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/attributes"
)

const (
	missingSummary = "No Cluster Configured"
	exposedSummary = "Exposed Cluster Connection"

	missingDetail = "Neither this resource nor the provider says which cluster to use, and the environment variable " +
		EnvConfigPath + " is not set.\n\n" +
		"Write the connection once, in the provider's configuration:\n\n" +
		"    provider \"k8sconnect\" {\n" +
		"      cluster = {\n" +
		"        config_path = \"~/.kube/config\"\n" +
		"        context     = \"my-cluster\"\n" +
		"      }\n" +
		"    }\n\n" +
		"or give this resource a `cluster` attribute of the same form, or the `cluster_name` of one of the provider's `clusters`."
)

// Arrival is how an object comes into the state, other than by a create. Terraform does not pass the resource to it.
type Arrival string

// The arrivals.
const (
	Import Arrival = "import"
	Move   Arrival = "move"
)

// Done returns the arrival as a participle.
func (a Arrival) Done() string { return strings.TrimSuffix(string(a), "e") + "ed" }

// subject returns the arrival as the first words of a sentence.
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
		"keep its own: the plan after the %[4]s uses that one, and checks that it has the same object.",
		object, arrival.Done(), EnvConfigPath, arrival, EnvContext, arrival.subject()))
}

// exposed warns of a connection that others could read, once in a run.
func (p *Provider) exposed(client *kube.Client, from source) diag.Diagnostics {
	var diags diag.Diagnostics
	if !p.IsNews(client) {
		return nil
	}
	for _, e := range client.SecurityWarnings() {
		if from != fromResource {
			diags.AddWarning(exposedSummary, "In the provider's connection, `"+from.name(e.Attribute)+"` "+e.Problem+"\n\n"+e.Suggestion)
			continue
		}
		diags.AddAttributeWarning(path.Root(attributes.AttributeName).AtName(e.Attribute), exposedSummary,
			"`"+attributes.AttributeName+"."+e.Attribute+"` "+e.Problem+"\n\n"+e.Suggestion)
	}
	return diags
}

// inheritedProblems returns the problems of the provider's connection as a resource that uses it sees them.
func inheritedProblems(from source, problems []connect.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, p := range problems {
		detail := "The provider's connection, which this resource uses, is not usable. " + p.Problem
		if p.Attribute != "" {
			detail = "In the provider's connection, which this resource uses, `" + from.name(p.Attribute) + "` " + p.Problem
		}
		diags.Append(attributes.InvalidConnection(detail + "\n\n" + p.Suggestion))
	}
	return diags
}
