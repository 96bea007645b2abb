package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
)

// WriteOnlyAttribute is the name of the attribute whose values are stored nowhere.
const WriteOnlyAttribute = "yaml_body_wo"

// takeWriteOnly fills in the write-only part from the configuration: plans and states hold no write-only values.
func (m *Model) takeWriteOnly(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	return config.GetAttribute(ctx, path.Root(WriteOnlyAttribute), &m.writeOnly)
}

// mergeWriteOnly returns intent merged with the write-only part of the configuration.
func (m Model) mergeWriteOnly(intent intents.Intent) (intents.Intent, diag.Diagnostics) {
	if m.writeOnly.IsNull() || m.writeOnly.IsUnknown() || intent.Manifest.Object == nil {
		return intent, nil
	}
	part, err := manifest.ParsePartial(m.writeOnly.ValueString())
	if err == nil {
		intent, err = intent.MergeWriteOnly(part, m.YAMLBodyWOVersion.ValueString())
	}
	if err == nil {
		return intent, nil
	}
	detail := err.Error()
	if other, is := errors.AsType[*manifest.OtherObjectError](err); is {
		detail = other.Field + " is not the same as in " + m.bodyAttribute() + ". Leave out apiVersion, kind, metadata.name and metadata.namespace."
	}
	return intent, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(WriteOnlyAttribute), "Invalid Manifest", WriteOnlyAttribute+": "+detail)}
}

// scrubSecrets replaces the secret values of models in diagnostics.
func scrubSecrets(diags *diag.Diagnostics, models ...*Model) {
	if len(*diags) == 0 {
		return
	}
	var secrets []rendering.Secrets
	for _, m := range models {
		if m == nil || m.isImported() || m.YAMLBody.IsUnknown() || !m.namesObject() || m.IgnoreFields.IsUnknown() {
			continue
		}
		intent, _ := m.intent()
		secrets = append(secrets, intent.Secrets())
	}
	*diags = diagnostics.Scrub(*diags, secrets...)
}
