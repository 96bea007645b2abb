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

// listKeysOf returns the list_keys of the patch in a value.
func listKeysOf(kind tftypes.Type, value *tfprotov6.DynamicValue) map[string][]string {
	object, err := value.Unmarshal(kind)
	if err != nil {
		return nil
	}
	found, _, err := tftypes.WalkAttributePath(object,
		tftypes.NewAttributePath().WithAttributeName("patch").WithAttributeName("list_keys"))
	keys, isValue := found.(tftypes.Value)
	var lists map[string]tftypes.Value
	if err != nil || !isValue || !keys.IsFullyKnown() || keys.As(&lists) != nil {
		return nil
	}
	all := map[string][]string{}
	for list, names := range lists {
		var values []tftypes.Value
		if names.As(&values) != nil {
			continue
		}
		for _, value := range values {
			var name string
			if value.As(&name) == nil {
				all[list] = append(all[list], name)
			}
		}
	}
	return all
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
