package hooks

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Attributes are those of a set that hooks need. Models embed them.
type Attributes struct {
	Hooks      types.Map   `tfsdk:"hooks"`
	HooksToRun types.List  `tfsdk:"hooks_to_run"`
	Revision   types.Int64 `tfsdk:"revision"`

	TakeOverRelease types.Object `tfsdk:"take_over_release"`
}

// Unknown makes what is computed unknown.
func (a *Attributes) Unknown() {
	a.HooksToRun, a.Revision = types.ListUnknown(types.StringType), types.Int64Unknown()
}

// texts returns the manifests of hooks by their keys; false while they are not known.
func (a *Attributes) texts() (map[string]string, bool) {
	texts := map[string]string{}
	for key, value := range a.Hooks.Elements() {
		text, _ := value.(types.String)
		if text.IsUnknown() {
			return nil, false
		}
		texts[key] = text.ValueString()
	}
	return texts, !a.Hooks.IsUnknown()
}

// Set is what hooks see, and change, of a set.
type Set struct {
	*Attributes
	Pending                    *types.Map
	Manifests, SecretManifests types.Dynamic
	FieldManager               types.String
	Timeouts                   timeouts.Value
	attributes.Connection
	// Taken is the release that a plan takes over; nil without one.
	Taken *Release
	// IsResumed is true in a plan of a new set whose objects an apply that ended early has left.
	IsResumed bool
}

// Objects returns the objects of the hooks, as the manifests name them; nil while they are not known.
func (s *Set) Objects() []manifest.Identity {
	if s == nil {
		return nil
	}
	texts, _ := s.texts()
	hooks, _, _ := chart.Hooks(texts) // An operation reports what is no hook.
	ids := make([]manifest.Identity, len(hooks))
	for i, hook := range hooks {
		ids[i] = hook.Identity
	}
	return ids
}

// revision returns how many operations with hooks have ended well; null for none.
func (s *Set) revision() types.Int64 {
	if s == nil {
		return types.Int64Null()
	}
	return s.Revision
}

// Runner runs hooks.
type Runner struct {
	Provider *providerdata.Provider
	// Names are those of the set in messages.
	Names diagnostics.Names
}

// Of returns the operation that leads from a state to a plan: one of them is nil for a create or a destroy. It has no
// hooks if none run. If no manifest changes, those run that are new or have changed.
func (r Runner) Of(plan, state *Set) (*Operation, diag.Diagnostics) {
	o := &Operation{Runner: r, plan: plan, state: state, now: plan, does: "upgrade", unfinished: map[string]bool{}}
	switch {
	case state == nil:
		o.does = "install"
	case plan == nil:
		o.does, o.now = "delete", state
	}
	texts, isKnown := o.now.texts()
	if o.isOpen = !isKnown; o.isOpen {
		return o, nil
	}
	same := o.does == "upgrade" && plan.has(state, isSame)
	if same {
		before, _ := state.texts()
		maps.DeleteFunc(texts, func(key, text string) bool { return before[key] == text })
	}
	if len(texts) > 0 {
		o.identify()
	}
	diags := o.parse(texts)
	o.isOpen = o.does == "upgrade" && !same && plan.has(state, mayBe) && o.counts()
	return o, diags
}

// has reports whether each manifest of a plan is that of a state.
func (s *Set) has(state *Set, is func(now, was attr.Value) bool) bool {
	all := func(now, was types.Dynamic) bool {
		entries, isKnown := EntriesIn(now)
		before, _ := EntriesIn(was)
		if !isKnown || entries == nil || before == nil {
			return is(now, was)
		}
		return maps.EqualFunc(entries, before, is)
	}
	return all(s.Manifests, state.Manifests) && all(s.SecretManifests, state.SecretManifests)
}

// EntriesIn returns the elements of a map or an object, and whether they are known; nil for a value of another type.
func EntriesIn(manifests types.Dynamic) (map[string]attr.Value, bool) {
	switch value := manifests.UnderlyingValue().(type) {
	case types.Map:
		return value.Elements(), !value.IsUnknown()
	case types.Object:
		return value.Attributes(), !value.IsUnknown()
	}
	return nil, !manifests.IsUnknown() && !manifests.IsUnderlyingValueUnknown()
}

// isSame reports whether a manifest is the same, in any notation.
func isSame(now, was attr.Value) bool {
	text, isText := now.(types.String)
	textWas, wasText := was.(types.String)
	return now.Equal(was) || isText && wasText && !text.IsUnknown() &&
		manifest.EqualText(text.ValueString(), textWas.ValueString())
}

// mayBe reports whether a manifest of a plan may turn out to be that of a state: nothing but values that the plan does
// not know makes them differ.
func mayBe(now, was attr.Value) bool {
	one, err := now.ToTerraformValue(context.Background())
	other, otherErr := was.ToTerraformValue(context.Background())
	return isSame(now, was) || err == nil && otherErr == nil && mayBecome(one, other)
}

func mayBecome(now, was tftypes.Value) bool {
	switch {
	case !now.IsKnown():
		return true
	case now.IsFullyKnown() || was.IsNull():
		return now.Equal(was)
	}
	var fields, fieldsWas map[string]tftypes.Value
	if now.As(&fields) == nil && was.As(&fieldsWas) == nil {
		return maps.EqualFunc(fields, fieldsWas, mayBecome)
	}
	var items, itemsWas []tftypes.Value
	return now.As(&items) == nil && was.As(&itemsWas) == nil && slices.EqualFunc(items, itemsWas, mayBecome)
}

// secrecy returns a secrecy that knows the values of the Secrets among the hooks, and of the secret manifests.
func (s *Set) secrecy() cluster.Secrecy {
	var secrets []manifest.Manifest
	texts, _ := s.texts()
	hooks, _, _ := chart.Hooks(texts)
	for _, hook := range hooks {
		if hook.IsSecret() {
			secrets = append(secrets, hook.Manifest)
		}
	}
	entries, _ := EntriesIn(s.SecretManifests)
	for _, entry := range entries {
		if text, is := entry.(types.String); is {
			secret, _ := manifest.Parse(text.ValueString())
			secrets = append(secrets, secret)
		} else if written, err := attributes.DecodeObject(types.DynamicValue(entry)); err == nil {
			secret, _ := manifest.Of(written.Object)
			secrets = append(secrets, secret)
		}
	}
	return operations.SecrecyBeside(secrets)
}

// identify sets the id: a digest of all manifests, and of the keys alone of secret ones, because other users can read
// it. What a destroy that fails leaves in the state has fewer manifests, and is to be destroyed by the same operation.
func (o *Operation) identify() {
	digest := fnv.New64a()
	add := func(s *Set) {
		secret, _ := EntriesIn(s.SecretManifests)
		_, _ = fmt.Fprintln(digest, s.Manifests, slices.Sorted(maps.Keys(secret)))
	}
	if o.state != nil {
		// The same operation may come again later, as another revision.
		_, _ = fmt.Fprintln(digest, o.does, o.state.FieldManager, o.state.Revision)
	}
	if o.state != nil && o.plan != nil {
		add(o.state)
	}
	if o.plan != nil {
		add(o.plan)
	}
	o.id = strconv.FormatUint(digest.Sum64(), 36)
}

// End warns of what a destroy runs: without a plan.
func (r Runner) End(plan, state *Set) diag.Diagnostics {
	if plan != nil {
		return nil
	}
	o, diags := r.Of(nil, state)
	if len(o.names()) > 0 {
		diags.Append(sets.HooksOfDestroy(o.names()))
	}
	return diags
}

// Plan sets what an apply runs, or keeps what the last one has run. It warns if these are the same.
func (r Runner) Plan(ctx context.Context, plan, state *Set) diag.Diagnostics {
	o, diags := r.Of(plan, state)
	if o.isOpen {
		if plan.Unknown(); state != nil {
			*plan.Pending = types.MapUnknown(types.StringType) // The plan of the apply may find a hook in it.
		}
		return diags
	}
	if skips := o.skip(); plan.Taken != nil {
		diags.Append(r.announce(plan.Taken, skips))
	}
	diags.Append(o.note(ctx)...)
	if state == nil {
		return diags
	}
	if plan.Taken != nil {
		*plan.Pending = types.MapUnknown(types.StringType) // So that Terraform sees that there is something to do.
	}
	if len(state.Pending.Elements()) > 0 && (!plan.Hooks.Equal(state.Hooks) || len(o.names()) > 0) {
		*plan.Pending = types.MapUnknown(types.StringType) // A hook may be among them.
	}
	if len(o.names()) > 0 && plan.HooksToRun.Equal(state.HooksToRun) {
		diags.Append(sets.HooksOfApply(o.names())) // The CLI hides what is as the last apply has left it.
	}
	return diags
}

// skip drops the hooks of a create that takes over a release: Helm has installed it. It reports whether there were
// some.
func (o *Operation) skip() bool {
	isInstalled := o.state == nil && o.plan != nil && !o.plan.TakeOverRelease.IsNull() &&
		(o.plan.Taken != nil || o.plan.HooksToRun.IsNull() || o.plan.IsResumed)
	had := len(o.names()) > 0
	if isInstalled {
		o.hooks = nil
	}
	return isInstalled && had
}

// note sets what an apply runs, or what the last one has run if it runs no hooks.
func (o *Operation) note(ctx context.Context) (diags diag.Diagnostics) {
	o.plan.HooksToRun, o.plan.Revision = types.ListNull(types.StringType), o.state.revision()
	if o.counts() {
		o.plan.Revision = types.Int64Value(o.plan.Revision.ValueInt64() + 1)
	}
	switch {
	case len(o.names()) > 0:
		o.plan.HooksToRun, diags = types.ListValueFrom(ctx, types.StringType, o.names())
	case o.state != nil:
		o.plan.HooksToRun = o.state.HooksToRun
	}
	return diags
}

// Work is what an operation does to the objects of a set. Both return true if something has failed.
type Work struct {
	// Needed does it to the objects that hooks before the others may need; nil for none. Without such hooks it is not
	// called.
	Needed func() (failed bool)
	// All does it to all that are left.
	All func() (failed bool)
}

// Around runs the hooks of an operation before and after something that is done to the objects, unless that fails. It
// returns false if All was not called, because a hook before it or Needed has failed.
func (o *Operation) Around(ctx context.Context, do Work) (ran bool, diags diag.Diagnostics) {
	name, takes := o.plan.takes()
	dropped := o.dropped()
	ctx = cluster.WithSecrecy(ctx, o.now.secrecy())
	var api cluster.Interface
	if len(o.hooks)+len(dropped) > 0 || takes {
		if api, diags = o.Provider.ConnectToApply(ctx, o.now.Connection); diags.HasError() {
			return false, diags
		}
	}
	if takes {
		found, faults := o.find(ctx, api, name)
		if diags.Append(faults...); diags.HasError() {
			return false, diags
		}
		isNew := o.state == nil && len(o.plan.HooksToRun.Elements()) == 0
		if isNew || o.plan.Pending.IsUnknown() { // What the plan has not shown stays.
			o.plan.Taken = found
		}
	}
	if o.skip(); o.plan != nil && o.plan.HooksToRun.IsUnknown() {
		diags.Append(o.note(ctx)...)
	}
	for _, fault := range o.unmark(ctx, api, dropped) { // What a hook has left is no reason to apply nothing.
		diags.Append(unready.HookKept(fault))
	}
	if do.Needed != nil && len(o.of(o.before())) > 0 && do.Needed() {
		o.leave(slices.Concat(o.of(o.before()), o.of(o.after())))
		return false, diags
	}
	if diags.Append(o.runAll(ctx, api, o.before())...); diags.HasError() {
		return false, diags
	}
	if do.All() {
		o.leave(o.of(o.after()))
		return true, diags
	}
	switch diags.Append(o.runAll(ctx, api, o.after())...); {
	case diags.HasError():
	case o.does == "delete":
		diags.Append(o.unmark(ctx, api, o.hooks)...)
	default:
		diags.Append(o.forget(ctx, api)...)
	}
	return true, diags
}

// Leave takes what has not ended well out of a set after an operation with an error, and notes it in pending, from
// which the next plan runs it. A release that may still be there is one of them.
func (o *Operation) Leave(after *Set) {
	after.TakeOverRelease = types.ObjectNull(after.TakeOverRelease.AttributeTypes(context.Background()))
	after.Revision = o.state.revision()
	if len(o.unfinished) == 0 {
		return
	}
	pending := maps.Clone(after.Pending.Elements())
	left := maps.Clone(after.Hooks.Elements())
	for key := range o.unfinished {
		delete(left, key)
		pending["hook "+key] = types.StringValue("it has not ended well")
	}
	after.Hooks = types.MapValueMust(types.StringType, left)
	*after.Pending = types.MapValueMust(types.StringType, pending)
}
