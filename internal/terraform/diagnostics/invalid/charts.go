package invalid

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

const (
	renderingSummary = "Chart Not Rendered"
	generatedSummary = "Generated Values"
)

// Chart returns the error about a chart that could not be loaded.
func Chart(err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("chart"), "Chart Not Loaded", sentence(err.Error()))
}

// ChartValues returns the error about values, or a string with values, that a chart does not accept.
func ChartValues(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Chart Values", at.String()+": "+problem)
}

// Rendering returns the error about a chart whose templates fail, or make something else than manifests.
func Rendering(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(renderingSummary, sentence(err.Error())+"\n\nIf the message is one of the chart, "+
		"its values have to change. `helm template` shows the same one.")
}

// ChartWithoutCluster returns the error about a chart that reads a cluster where none is configured.
func ChartWithoutCluster() diag.Diagnostic {
	return diag.NewErrorDiagnostic(renderingSummary, "The chart reads the cluster (lookup or .Capabilities), and no "+
		"cluster is configured.\n\nConfigure one in the provider block, or, for .Capabilities alone, set "+
		"capabilities = { kube_version = \"1.36\" }.")
}

// ChartBeforeCluster returns the error about a chart that reads a cluster which is not known yet.
func ChartBeforeCluster() diag.Diagnostic {
	return diag.NewErrorDiagnostic(renderingSummary, "The chart reads the cluster (lookup, .Capabilities, or the "+
		"values that it has generated before), whose connection is known only after the apply.\n\nName the cluster in "+
		"depends_on of this data source, so that the apply reads it. For .Capabilities alone, set capabilities = "+
		"{ kube_version = \"1.36\" }. For generated values of a chart that is not installed yet, set renew = true "+
		"until it is.")
}

// GeneratedNames warns of objects of a chart whose names are drawn at random.
func GeneratedNames(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates a new name for these objects in "+
		"each plan, so that each apply creates them, and deletes those of the last one:\n"+
		diagnostics.AllLines(keys)+"\n\nMost charts have a value that sets a fixed name.")
}

// GeneratedInHooks warns of hooks of a chart that are other ones in each plan.
func GeneratedInHooks(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates values or names of these hooks in "+
		"each plan, and nothing on the cluster keeps them, so that each apply runs them:\n"+
		diagnostics.AllLines(keys)+"\n\nMost charts have a value that turns a hook off or sets what it generates.")
}

// GeneratedBesideOthers warns of objects with new generated values, where other objects keep theirs.
func GeneratedBesideOthers(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates new values for these objects, while "+
		"others keep theirs. They are not on the cluster, or the chart has changed so much around a value that it is "+
		"not found there:\n"+diagnostics.AllLines(keys)+"\n\nIf they belong together, a certificate and its "+
		"authority for instance, check them in the plan. renew = true generates all values again.")
}

// GeneratedWithoutCluster warns of values that the chart generates again in each plan.
func GeneratedWithoutCluster(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates values of these objects, and without a "+
		"cluster each plan has other ones:\n"+diagnostics.AllLines(keys)+"\n\nConfigure the cluster in the provider "+
		"block, or set the values in secret_values.")
}

// sentence returns text with a full stop at its end. It capitalizes an article at the beginning, and no name of a file
// or an argument.
func sentence(text string) string {
	for _, article := range []string{"the ", "a "} {
		if strings.HasPrefix(text, article) {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
	}
	return strings.TrimSuffix(text, ".") + "."
}
