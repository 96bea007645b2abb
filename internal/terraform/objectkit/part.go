package objectkit

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// fieldManager returns the field manager of a resource whose configuration names none. For an object it is the
// provider's. A part gets one of its own and keeps it: with a common manager, two parts of an object would remove each
// other's fields.
func (r *Objects) fieldManager(plan *model.Model, state *model.Model) types.String {
	switch {
	case !r.IsPart:
		return r.provider.FieldManager()
	case state != nil:
		return state.FieldManager
	}
	return plan.PartManager()
}

// leavePart warns of what the end of a part does to each of its fields. It returns the snapshot by which it does so,
// and the object as its end leaves it; nil if that is not known.
func (r *Objects) leavePart(
	ctx context.Context, state *model.Model, snapshot record.Snapshot, how changes.Ending,
) (record.Snapshot, map[string]any, diag.Diagnostics) {
	prior, diags := state.Prior(snapshot)
	if diags.HasError() || !snapshot.Known() {
		return snapshot, nil, diags
	}
	prior = lastRead(ctx, r.provider, state, prior)
	part := changes.EndedPart{
		Object: prior.Object, FieldManager: state.FieldManager.ValueString(),
		Fates: engine.FatesOf(prior, state.Releases()), Stays: departure(state, prior),
	}
	becomes := tryEnd(ctx, r.provider, state, prior, &part)
	return prior.Snapshot, becomes, diag.Diagnostics{changes.TakenBack(r.Names, how, part)}
}

// tryEnd adds to a part what the server drops with what its end restores, or why it refuses that. It asks only in the
// plan that the CLI shows. It returns the object as the end leaves it; nil if that is not known.
func tryEnd(
	ctx context.Context, provider *providerdata.Provider, state *model.Model, prior record.Prior,
	part *changes.EndedPart,
) (becomes map[string]any) {
	if provider.Run().Rounds.Current() != run.FirstRound {
		return nil
	}
	if api, status := provider.Look(ctx, state.Connection); status == providerdata.Ready {
		ctx, cancel, _ := withTimeout(ctx, state.Timeouts.Read, readTimeout)
		defer cancel()
		part.Fates, becomes, part.Refusal = engine.TryEnd(ctx, api, prior, part.Fates)
	}
	return becomes
}

// departure returns how the object of a state stays when its resource is destroyed; nil if the destroy changes values.
func departure(state *model.Model, prior record.Prior) *changes.Departure {
	if !state.Releases() {
		return nil
	}
	return &changes.Departure{
		Manager: prior.Arguments.FieldManager, Successor: model.HandsOverTo(state), Fields: engine.OwnedFields(prior),
	}
}

// readOf is the key of what a run has read of the object of a part.
type readOf struct{ uid, fieldManager string }

func readBy(state *model.Model) readOf { return readOf{state.UID(), state.FieldManager.ValueString()} }

// isRead is held for a part whose object the run has read.
type isRead struct{}

// lastRead returns prior with the object as this run has read it. Terraform 1.11 plans the destroy of a resource
// without a block before it reads the object. Then lastRead reads it, and the read that follows takes it
// over: see observeLive.
func lastRead(
	ctx context.Context, provider *providerdata.Provider, state *model.Model, prior record.Prior,
) record.Prior {
	if _, is := provider.TakeOut(readBy(state)).(isRead); is || provider.Destroys() {
		prior.Live = provider.Run().Objects.Of(prior.Snapshot.UID).Live
		return prior
	}
	api, status := provider.Look(ctx, state.Connection)
	if status != providerdata.Ready {
		return prior
	}
	ctx, cancel, _ := withTimeout(ctx, state.Timeouts.Read, readTimeout)
	defer cancel()
	now, err := prior.Reread(ctx, api, state.FieldManager.ValueString())
	if err != nil {
		return prior // The destroy reports it.
	}
	provider.Hold(readBy(state), &unstructured.Unstructured{Object: now.Live})
	now.Shown = prior.Shown // The destroy compares what it finds with what the state shows.
	return now
}

// observeLive reads the object, unless live is the object as it was just read, or the plan of the destroy of a part has
// just read it.
func (r *Objects) observeLive(
	ctx context.Context, api cluster.Interface, state *model.Model, prior record.Prior, live *unstructured.Unstructured,
) (observed record.Observed, err error) {
	if state.IsPart {
		live, _ = r.provider.TakeOut(readBy(state)).(*unstructured.Unstructured)
	}
	if live != nil {
		observed, err = record.ObserveLive(live, state.FieldManager.ValueString(), prior)
	} else {
		observed, err = record.Observe(ctx, api, state.FieldManager.ValueString(), prior)
	}
	if state.IsPart && err == nil {
		r.provider.Hold(readBy(state), isRead{})
	}
	return observed, err
}

// speakingOf returns the resource with the Names that fit a model: messages name the argument that the user wrote.
func (r *Objects) speakingOf(m *model.Model) *Objects {
	speaking := *r
	speaking.Names.Scope = diagnostics.Scope{Cluster: m.ClusterName.ValueString(), Manager: managerOf(m, r.provider)}
	speaking.Names.Cluster, speaking.Names.RuleOf = m.ClusterAttribute(), m.Rules.By
	if model.HasWriteOnly(m) {
		speaking.Names.SentUnstored = speaking.Names.WriteOnlyBody
	}
	switch {
	case !m.Patch.IsNull():
		speaking.Names.Body, speaking.Names.IsPatch = model.PatchAttribute, true
		speaking.Names.Arguments = maps.Clone(r.Names.Arguments)
		delete(speaking.Names.Arguments, arguments.IgnoreFields)
		delete(speaking.Names.Arguments, arguments.RemoveFields)
	case r.IsPart && m.YAMLBody.IsNull() && m.Manifest.IsNull():
		speaking.Names.Body = speaking.Names.Of(arguments.RemoveFields)
	default:
		speaking.Names.Body = m.BodyAttribute()
	}
	return &speaking
}

// managerOf returns the field manager that summaries of warnings name, so that those of several resources on one object
// differ: that of a part, and that of an object if it is not the provider's own. Several resources cannot have this
// one. That of a set is generated, and tells nothing.
func managerOf(m *model.Model, provider *providerdata.Provider) string {
	if m.Entry != "" || !m.IsPart && (provider == nil || m.FieldManager.Equal(provider.FieldManager())) {
		return ""
	}
	return m.FieldManager.ValueString()
}

// NamesOf returns the names of a model in diagnostics: they name the argument that the user wrote.
func (r *Objects) NamesOf(m *model.Model) diagnostics.Names { return r.speakingOf(m).Names }
