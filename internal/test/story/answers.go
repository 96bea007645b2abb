package story

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// textsOf returns a map of strings among the attributes of a value. Unknown values are left out.
func textsOf(kind tftypes.Type, value *tfprotov6.DynamicValue, name string) map[string]string {
	texts := map[string]string{}
	object, err := value.Unmarshal(kind)
	var attributes, elements map[string]tftypes.Value
	if err != nil || object.IsNull() || object.As(&attributes) != nil {
		return texts
	}
	if attribute := attributes[name]; !attribute.IsKnown() || attribute.IsNull() || attribute.As(&elements) != nil {
		return texts
	}
	for field, element := range elements {
		var text string
		if element.IsKnown() && element.As(&text) == nil {
			texts[field] = text
		}
	}
	return texts
}

// identityOf returns the object of a state or a plan. If the plan does not know the object yet, it comes from the
// manifest.
func identityOf(attributes map[string]string) (manifest.Identity, bool) {
	if id, err := manifest.ParseID(attributes["id"]); err == nil {
		return id, true
	}
	parsed, err := manifest.Parse(attributes["yaml_body"])
	return parsed.Identity, err == nil
}

func warningsOf(diags []*tfprotov6.Diagnostic) []string {
	var texts []string
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			texts = append(texts, d.Summary+"\n"+d.Detail)
		}
	}
	return texts
}
