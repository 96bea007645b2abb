package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// PatchAttribute is the name of the attribute with a patch that is not server-side apply.
const PatchAttribute = "patch"

// patch returns the patch of a part; nil where it has none.
func (m Model) patch() (*patches.Patch, error) {
	if m.Patch.IsNull() || isUnknown(m.Patch) {
		return nil, nil
	}
	kind, _ := m.Patch.Attributes()["type"].(types.String)
	body, _ := m.Patch.Attributes()["body"].(types.String)
	patch, err := patches.ParseFor(m.Subresource.ValueString(), patches.Type(kind.ValueString()), body.ValueString())
	if err != nil {
		return nil, err
	}
	return &patch, nil
}

// speakingOf returns the resource with the words for a model: one with a patch has no yaml_body.
func (r *Resource) speakingOf(m Model) *Resource {
	if m.Patch.IsNull() {
		return r
	}
	speaking := *r
	speaking.Words.Body, speaking.Words.IgnoreFields, speaking.Words.RemoveFields = speaking.Words.Patch, "", ""
	return &speaking
}

// planUpdate plans an apply to the object of prior.
func (r *Resource) planUpdate(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (ssa.Plan, error) {
	if intent.Patch == nil {
		return ssa.PlanUpdate(ctx, api, intent, prior)
	}
	plan, read, err := patching.Plan(ctx, api, intent, prior)
	r.provider.Registry().Targets.See(api, intent.FieldManager, read)
	return plan, err
}

// createPatched sends a patch for the first time.
func (r *Resource) createPatched(ctx context.Context, api cluster.Interface, intent intents.Intent, target manifest.Identity) (observed record.Observed, warnings []ssa.Warning, err error) {
	run := r.provider.Registry()
	prior := run.Targets.Take(api, intent.FieldManager, target)
	err = registry.AwaitWebhook(ctx, &run.Waits, func() (err error) {
		observed, _, err = patching.Create(ctx, api, intent, prior, run)
		return err
	})
	return observed, nil, err
}

// updatePatched sends a patch to the object of prior, as the plan of this process has read it.
func (r *Resource) updatePatched(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (record.Observed, ssa.UpdateResult, error) {
	if read := r.provider.Registry().Targets.Take(api, intent.FieldManager, prior.Object); read.Snapshot.UID == prior.Snapshot.UID {
		prior.Snapshot, prior.Live = read.Snapshot, read.Live
	}
	observed, overwritten, err := patching.Apply(ctx, api, intent, prior)
	return observed, ssa.UpdateResult{Overwritten: overwritten}, err
}
