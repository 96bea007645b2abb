package setresource

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Hooks run before and after what an apply or a destroy does to the objects of a set. Package hooks implements them.
type Hooks interface {
	// Names returns what runs, in its order: an event and a key.
	Names() []string
	Before(ctx context.Context, api cluster.Interface) diag.Diagnostics
	After(ctx context.Context, api cluster.Interface) diag.Diagnostics
	// Unfinished returns the keys of the hooks that have not ended well.
	Unfinished() []string
}

// Operation is what hooks run for.
type Operation struct {
	// Does is the name of the operation in the events of hooks: install, upgrade or delete.
	Does string
	// Texts are the manifests of hooks, by their keys.
	Texts map[string]string
	// Manager is the field manager that creates them.
	Manager string
	// ID tells the operation apart from others of the same set.
	ID string
	// Explain returns the diagnostic about a request that has failed.
	Explain func(of diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic
}

// IsUntouched reports whether nothing was done to the objects of the set yet when the hooks of an event run.
func (o Operation) IsUntouched(event string) bool { return event == "pre-"+o.Does }

// hooksOf returns the hooks of the operation that leads from a state to a plan; nil for none. One of them is nil for a
// create or a destroy. If no manifest changes, those run that are new or have changed. It returns false while the hooks
// are not known.
func (r *setResource) hooksOf(plan, state *set) (hooks Hooks, isKnown bool, diags diag.Diagnostics) {
	of := Operation{Does: "upgrade", Explain: func(
		operation diagnostics.Operation, id manifest.Identity, err error,
	) diag.Diagnostic {
		return r.provider.Explain(names, operation, id, err)
	}}
	now := plan
	switch {
	case state == nil:
		of.Does = "install"
	case plan == nil:
		of.Does, now = "delete", state
	}
	digest := fnv.New64a()
	for _, side := range []*set{state, plan} {
		if side != nil {
			_, _ = fmt.Fprintln(digest, side.Manifests, side.SecretManifests)
		}
		if side == state && state != nil {
			_, _ = fmt.Fprintln(digest, state.Revision) // The operation may come again later.
		}
	}
	of.ID, of.Manager = strconv.FormatUint(digest.Sum64(), 36), now.FieldManager.ValueString()
	if of.Texts, isKnown = now.hookTexts(); !isKnown {
		return nil, false, nil
	}
	if of.Does == "upgrade" && plan.Manifests.Equal(state.Manifests) && plan.SecretManifests.Equal(state.SecretManifests) {
		before, _ := state.hookTexts()
		maps.DeleteFunc(of.Texts, func(key, text string) bool { return before[key] == text })
	}
	if len(of.Texts) == 0 {
		return nil, true, nil
	}
	hooks, diags = r.hooks(of)
	return hooks, true, diags
}

// hookTexts returns the manifests of hooks by their keys; false while they are not known.
func (s *set) hookTexts() (map[string]string, bool) {
	texts := map[string]string{}
	for _, attribute := range []types.Map{s.Hooks, s.SecretHooks} {
		if attribute.IsUnknown() {
			return nil, false
		}
		for key, value := range attribute.Elements() {
			text, _ := value.(types.String)
			if text.IsUnknown() {
				return nil, false
			}
			texts[key] = text.ValueString()
		}
	}
	return texts, true
}

// planHooks sets what an apply runs, or keeps what the last one has run. It warns of what a destroy runs.
func (r *setResource) planHooks(ctx context.Context, plan, state *set) diag.Diagnostics {
	hooks, isKnown, diags := r.hooksOf(plan, state)
	switch {
	case plan == nil:
		if hooks != nil && len(hooks.Names()) > 0 {
			diags.Append(sets.HooksOfDestroy(hooks.Names()))
		}
	case !isKnown:
		plan.HooksToRun, plan.Revision = types.ListUnknown(types.StringType), types.Int64Unknown()
	default:
		diags.Append(plan.noteHooks(ctx, state, hooks)...)
	}
	if plan == nil || state == nil || hooks == nil || len(hooks.Names()) == 0 {
		return diags
	}
	if len(state.Pending.Elements()) > 0 {
		plan.Pending = types.MapUnknown(types.StringType) // A hook may be among them.
	}
	if plan.HooksToRun.Equal(state.HooksToRun) {
		diags.Append(sets.HooksOfApply(hooks.Names())) // Terraform hides what is as the last apply has left it.
	}
	return diags
}

// noteHooks sets what an apply runs, or what the last one has run if it runs no hooks.
func (s *set) noteHooks(ctx context.Context, state *set, hooks Hooks) (diags diag.Diagnostics) {
	s.HooksToRun, s.Revision = types.ListNull(types.StringType), revisionOf(state)
	switch {
	case hooks != nil && len(hooks.Names()) > 0:
		s.Revision = types.Int64Value(s.Revision.ValueInt64() + 1)
		s.HooksToRun, diags = types.ListValueFrom(ctx, types.StringType, hooks.Names())
	case state != nil:
		s.HooksToRun = state.HooksToRun
	}
	return diags
}

// revisionOf returns how many operations with hooks have ended well; null for none.
func revisionOf(state *set) types.Int64 {
	if state == nil {
		return types.Int64Null()
	}
	return state.Revision
}

// between runs the hooks of an operation before and after something that is done to the objects, unless that fails. It
// returns false if that was not done, because a hook before it has failed.
func (r *setResource) between(
	ctx context.Context, hooks Hooks, of attributes.Connection, do func() (failed bool),
) (ran bool, diags diag.Diagnostics) {
	if hooks == nil {
		_ = do()
		return true, nil
	}
	api, diags := r.provider.ConnectToApply(ctx, of)
	if diags.HasError() {
		return false, diags
	}
	if diags.Append(hooks.Before(ctx, api)...); diags.HasError() {
		return false, diags
	}
	if !do() {
		diags.Append(hooks.After(ctx, api)...)
	}
	return true, diags
}

// applyWithHooks applies to the members of a set, with the hooks before and after it. The state lacks the hooks that have
// not ended well, so that the next plan runs them.
func (r *setResource) applyWithHooks(ctx context.Context, plan, state *set, objects map[string]stored) applied {
	hooks, _, diags := r.hooksOf(plan, state)
	if diags.HasError() {
		return applied{diags: diags}
	}
	if plan.HooksToRun.IsUnknown() {
		diags.Append(plan.noteHooks(ctx, state, hooks)...)
	}
	var done applied
	ran, faults := r.between(ctx, hooks, plan.Connection, func() bool {
		done = r.apply(ctx, plan, state, objects)
		return done.failed()
	})
	diags.Append(faults...)
	done.ran, done.diags = ran, append(done.diags, diags...)
	if ran && hooks != nil {
		done.set.leaveHooks(hooks.Unfinished())
	}
	if done.failed() {
		done.set.Revision = revisionOf(state)
	}
	return done
}

// leaveHooks takes hooks out of a set, and notes them in pending.
func (s *set) leaveHooks(keys []string) {
	if len(keys) == 0 {
		return
	}
	pending := maps.Clone(s.Pending.Elements())
	for _, attribute := range []*types.Map{&s.Hooks, &s.SecretHooks} {
		left := maps.Clone(attribute.Elements())
		for _, key := range keys {
			if left[key] != nil {
				delete(left, key)
				pending["hook "+key] = types.StringValue("it has not ended well")
			}
		}
		if !attribute.IsNull() {
			*attribute = types.MapValueMust(types.StringType, left)
		}
	}
	s.Pending = types.MapValueMust(types.StringType, pending)
}

// deleteWithHooks deletes the members of a set, with the hooks before and after it. The destroy half of a replacement
// that keeps the objects has none.
func (r *setResource) deleteWithHooks(
	ctx context.Context, state *set, leaving []*member, missing *failures,
) (ran bool, diags diag.Diagnostics) {
	var hooks Hooks
	if !slices.ContainsFunc(leaving, func(m *member) bool { return privatestate.HasStays(ctx, m.stored.Private) }) {
		if hooks, _, diags = r.hooksOf(nil, state); diags.HasError() {
			return false, diags
		}
	}
	ran, faults := r.between(ctx, hooks, state.Connection, func() bool {
		r.deleteAll(ctx, leaving, missing)
		return missing.any()
	})
	return ran, append(diags, faults...)
}
