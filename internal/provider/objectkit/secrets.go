package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
)

// WriteOnlyAttribute is the name of the attribute whose values are stored nowhere.
const WriteOnlyAttribute = "yaml_body_wo"

// WriteOnlyVersionAttribute is the name of the attribute whose change sends the values of WriteOnlyAttribute.
const WriteOnlyVersionAttribute = "yaml_body_wo_version"

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
	return intent, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(WriteOnlyAttribute), "Invalid Manifest", WriteOnlyAttribute+": "+err.Error())}
}

// keepWriteOnly returns intent as an apply sends it: write-only fields whose version is that of the last apply, and which are as
// that apply left them, keep their live values; see intents.Intent.WithLiveWriteOnly. That costs a GET if there are such fields and
// this process has not read the object. The plan of an apply leaves the object for the apply. unsent are the fields whose values
// in the configuration are not sent.
func (m *Model) keepWriteOnly(
	ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior,
) (kept intents.Intent, unsent []string, err error) {
	if !intent.KeepsWriteOnly(prior) {
		return intent, nil, nil
	}
	provider := m.resource.provider
	if prior.Live == nil {
		prior.Live = provider.Sightings().Take(prior.Snapshot.UID)
	}
	if prior.Live == nil {
		live, err := cluster.Get(ctx, api, prior.Object)
		if err == nil {
			err = prior.CheckUID(live)
		}
		if err != nil {
			return intent, nil, err
		}
		prior.Live = live.Object
	}
	if provider.Registry().Rounds.Round() != registry.FirstRound {
		provider.Sightings().See(record.Observed{UID: prior.Snapshot.UID, Live: prior.Live})
	}
	kept, unsent, err = intent.WithLiveWriteOnly(prior, prior.Live)
	m.sent = &kept
	return kept, unsent, err
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
		if m.sent != nil {
			secrets = append(secrets, m.sent.Secrets())
		}
	}
	*diags = diagnostics.Scrub(*diags, secrets...)
}
