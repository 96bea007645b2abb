package objectkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/parts"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// fieldManager returns the field manager of a resource whose configuration names none. For an object it is the provider's.
// A part gets one of its own and keeps it: with a common manager, two parts of an object would remove each other's fields.
func (r *Resource) fieldManager(plan Model, state *Model) types.String {
	switch {
	case !r.IsPart:
		return r.provider.FieldManager()
	case state != nil:
		return state.FieldManager
	case !plan.namesObject() || isUnknown(plan.Target) || plan.YAMLBody.IsUnknown() || isUnknown(plan.Patch) || plan.Subresource.IsUnknown() || isUnknown(plan.RemoveFields):
		return types.StringUnknown()
	}
	part, err := plan.manifest()
	if err != nil {
		return types.StringUnknown()
	}
	patch, err := plan.patch()
	if err != nil {
		return types.StringUnknown()
	}
	if patch != nil {
		part.Text += patch.Text
	}
	if len(plan.undecided()) > 0 {
		return types.StringUnknown()
	}
	sum := sha256.Sum256([]byte(part.Text + strings.Join(sortedTexts(plan.RemoveFields), "\n")))
	return types.StringValue("k8sconnect-patch-" + hex.EncodeToString(sum[:4]))
}

// createPart plans the first apply of a part. If its object is missing, the values are unknown in the plan that the CLI shows. The
// plan that an apply makes waits for the object: the shown plan may have had values, and they must not become unknown.
func (c *change) createPart(ctx context.Context, api cluster.Interface, intent intents.Intent) {
	var prior record.Prior
	run := c.resource.provider.Registry()
	plan, err := c.await(ctx, registry.AwaitObject, func(ctx context.Context) (plan ssa.Plan, err error) {
		if intent.Patch != nil {
			plan, prior, err = patching.PlanFirst(ctx, api, intent)
		} else {
			plan, prior, err = parts.Plan(ctx, api, intent)
		}
		if err == nil && plan.Awaited != nil && run.Rounds.Round() == registry.SecondRound {
			return plan, plan.Awaited
		}
		return plan, err
	})
	if err != nil {
		c.refuse(plan.Object, err)
		return
	}
	c.unknown()
	if c.deferral = resource.DeferredReasonAbsentPrereq; plan.Located {
		c.deferral = resource.DeferredReasonUnknown
		c.plan.setObject(plan.Object, "")
		c.assumes(api, intent.Manifest, plan.Object)
		c.uid = prior.Snapshot.UID
		run.Targets.See(api, intent.FieldManager, prior)
	}
	c.show(plan)
	// The planned values depend only on the fields of the part, so they are known. With digests they stay unknown: each plan
	// has another digest key.
	if plan.State != nil && len(prior.Snapshot.DigestKey) == 0 {
		foreseen := *c.plan
		foreseen.setPlannedState(*plan.State)
		c.plan.ManagedState = foreseen.ManagedState
	}
}

// create creates an object, or applies a part to one.
func (r *Resource) create(ctx context.Context, api cluster.Interface, intent intents.Intent, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	run := r.provider.Registry()
	if !r.IsPart {
		return ssa.CreateObject(ctx, api, intent, planned, run)
	}
	if intent.Patch != nil {
		return r.createPatched(ctx, api, intent, planned.Object)
	}
	return parts.Create(ctx, api, intent, run.Targets.Take(api, intent.FieldManager, planned.Object), run)
}

// leavePart warns of what a destroy does to each field of a part.
func (r *Resource) leavePart(state Model, snapshot record.Snapshot) diag.Diagnostics {
	prior, diags := state.prior(snapshot)
	if !diags.HasError() && snapshot.Known() {
		diags.Append(r.Words.TakesBack(prior.Object, parts.FatesOf(prior, state.releases())))
	}
	return diags
}

// deletePart takes a part back, and does not delete its object.
func (r *Resource) deletePart(ctx context.Context, state Model, prior record.Prior, resp *resource.DeleteResponse) {
	ctx, cancel, diags := withTimeout(ctx, state.Timeouts.Delete, deleteTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	api, _, diags := r.connectToApply(ctx, state.Connection, diagnostics.TakenBack, prior.Snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	done, err := state.takeBack(ctx, api, prior, state.releases())
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		done, err = state.takeBack(ctx, api, prior, state.releases()) // A single refusal may be accidental, so it is tried once more.
	}
	if refusal := err; cluster.ReasonOf(refusal) == cluster.ReasonInvalid {
		if done, err = state.takeBack(ctx, api, prior, true); err == nil && done == deletion.Released {
			resp.Diagnostics.Append(r.Words.NotTakenBack(prior.Object, parts.FatesOf(prior, false), refusal))
		}
	}
	if cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonConflict {
		done, err = deletion.Confirm(ctx, api, prior.Object, prior.Snapshot.UID, err)
	}
	switch {
	case done == deletion.Superseded:
		resp.Diagnostics.Append(diagnostics.Superseded(prior.Object))
	case err == nil:
	case cluster.LacksCredentials(err) && state.IsOwn():
		resp.Diagnostics.Append(r.Words.StaleDelete(prior.Object, err))
	default:
		resp.Diagnostics.Append(r.explain(diagnostics.TakenBack, prior.Object, err))
	}
}

// takeBack gives up the fields that a part owns. It also removes what the part added, unless releases is set: then no
// value changes. It returns what became of the object, which may have been created again since.
func (m Model) takeBack(ctx context.Context, api cluster.Interface, prior record.Prior, releases bool) (deletion.Deletion, error) {
	intent, _ := m.intent()
	intent.Manifest.Object = manifest.Identified(map[string]any{}, prior.Object)
	intent.Remove = nil
	intent.Ignore, intent.Sensitive, intent.OnConflict = nil, record.PatternsOf(prior.Snapshot.Sensitive), intents.Force
	if intent.Patch != nil {
		return deletion.Released, patching.TakeBack(ctx, api, intent, prior, releases)
	}
	if releases {
		return deletion.Leave(ctx, api, prior.Object, prior.Snapshot.UID, m.FieldManager.ValueString())
	}
	return deletion.Released, parts.TakeBack(ctx, api, intent, prior)
}

// withLive returns prior with the live object, which it reads with one GET. A destroy restores the fields that the apply takes to
// these values.
func withLive(ctx context.Context, api cluster.Interface, prior record.Prior) (record.Prior, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err == nil {
		prior.Live = live.Object
	}
	return prior, err
}

// speakingOf returns the resource with the Words that fit a model: messages name the argument that the user wrote.
func (r *Resource) speakingOf(m Model) *Resource {
	speaking := *r
	speaking.Words.Cluster, speaking.Words.ImportPrefix = m.ClusterAttribute(), importPrefix(m.ClusterName)
	if m.Patch.IsNull() {
		speaking.Words.Body = m.bodyAttribute()
		if r.IsPart && m.YAMLBody.IsNull() && m.Manifest.IsNull() {
			speaking.Words.Body = speaking.Words.RemoveFields
		}
		return &speaking
	}
	speaking.Words.Body, speaking.Words.IgnoreFields, speaking.Words.RemoveFields = speaking.Words.Patch, "", ""
	return &speaking
}

// planUpdate plans an apply to the object of prior.
func (r *Resource) planUpdate(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (ssa.Plan, error) {
	if intent.Patch == nil {
		return ssa.PlanUpdate(ctx, api, intent, prior)
	}
	plan, read, err := patching.Plan(ctx, api, intent, prior)
	if err == nil {
		r.provider.Registry().Targets.See(api, intent.FieldManager, read)
	}
	return plan, err
}

// createPatched sends a patch for the first time.
func (r *Resource) createPatched(ctx context.Context, api cluster.Interface, intent intents.Intent, target manifest.Identity) (observed record.Observed, result ssa.Result, err error) {
	run := r.provider.Registry()
	prior := run.Targets.Take(api, intent.FieldManager, target)
	err = registry.AwaitWebhook(ctx, &run.Waits, func() (err error) {
		observed, result.Overwritten, err = patching.Create(ctx, api, intent, prior, run)
		return err
	})
	return observed, result, err
}

// asPlanned returns prior with the object as the plan of this process has read it, if it has.
func (r *Resource) asPlanned(api cluster.Interface, intent intents.Intent, prior record.Prior) record.Prior {
	if read := r.provider.Registry().Targets.Take(api, intent.FieldManager, prior.Object); read.Snapshot.UID == prior.Snapshot.UID {
		prior.Snapshot, prior.Live = read.Snapshot, read.Live
	}
	return prior
}
