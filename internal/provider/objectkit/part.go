package objectkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/parts"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// restoreFields is the on_destroy of a part that gives its fields the values from before it.
const restoreFields = "restore"

// target returns the object that a part belongs to.
func (m Model) target() manifest.Identity {
	text := func(name string) string {
		value, _ := m.Target.Attributes()[name].(types.String)
		return value.ValueString()
	}
	return manifest.Identity{APIVersion: text("api_version"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name"), Subresource: m.Subresource.ValueString()}
}

// partText returns the fields that a part applies. One that only removes fields applies none.
func (m Model) partText() string {
	if m.YAMLBody.IsNull() {
		return "{}"
	}
	return m.YAMLBody.ValueString()
}

// isImported reports whether a state is of an import that nobody has read yet.
func (m Model) isImported() bool {
	return m.YAMLBody.IsNull() && (!m.resource.IsPart || m.RemoveFields.IsNull() && m.Patch.IsNull())
}

// setTarget sets the object that a part belongs to.
func (m *Model) setTarget(id manifest.Identity) {
	namespace := types.StringNull()
	if id.Namespace != "" {
		namespace = types.StringValue(id.Namespace)
	}
	m.Target = types.ObjectValueMust(
		map[string]attr.Type{"api_version": types.StringType, "kind": types.StringType, "namespace": types.StringType, "name": types.StringType},
		map[string]attr.Value{
			"api_version": types.StringValue(id.APIVersion), "kind": types.StringValue(id.Kind),
			"namespace": namespace, "name": types.StringValue(id.Name),
		})
}

// validatePart refuses a body that is about another object than the target.
func (r *Resource) validatePart(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	config := Model{resource: r}
	resp.Diagnostics.Append(config.read(ctx, req.Config)...)
	if resp.Diagnostics.HasError() || isUnknown(config.Target) || config.YAMLBody.IsUnknown() || isUnknown(config.Patch) || config.Subresource.IsUnknown() || manifest.CheckPart(config.partText()) != nil {
		return
	}
	part, err := config.manifest()
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("yaml_body"), "Invalid Manifest", "yaml_body: "+err.Error())
		return
	}
	if secret := part.IsSecret() || len(config.SensitiveFields.Elements()) > 0 || !config.YAMLBodyWO.IsNull(); secret && config.OnDestroy.ValueString() == restoreFields {
		resp.Diagnostics.AddAttributeError(path.Root("on_destroy"), "Invalid Attribute Value", "on_destroy = \"restore\" would store the values from before "+
			"the patch in the state, and values of this patch are secret.\n\nUse \"remove\" or \"release\".")
	}
	if patch, err := config.patch(); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root(PatchAttribute).AtName("body"), "Invalid Patch", "patch: "+err.Error())
	} else if patch != nil {
		return
	}
	remove := record.PatternsOf(sortedTexts(config.RemoveFields))
	for _, index := range projection.SplitBody(part.Object, remove, nil).Matched {
		resp.Diagnostics.AddAttributeError(path.Root("remove_fields"), "Invalid Field Path", "remove_fields: "+remove[index].String()+
			" covers a field of yaml_body, which the apply would set and remove.\n\nRemove it from one of the two.")
	}
}

// fieldManager returns the field manager of a resource whose configuration names none: the provider's for an object. A part
// has one of its own, or two parts of an object would undo each other, and keeps it.
func (r *Resource) fieldManager(plan Model, state *Model) types.String {
	switch {
	case !r.IsPart:
		return r.provider.FieldManager()
	case state != nil:
		return state.FieldManager
	case isUnknown(plan.Target) || plan.YAMLBody.IsUnknown() || isUnknown(plan.Patch) || plan.Subresource.IsUnknown() || isUnknown(plan.RemoveFields):
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
	sum := sha256.Sum256([]byte(part.Text + strings.Join(sortedTexts(plan.RemoveFields), "\n")))
	return types.StringValue("k8sconnect-patch-" + hex.EncodeToString(sum[:4]))
}

// createPart plans the first apply of a part.
func (c *change) createPart(ctx context.Context, api cluster.Interface, intent intents.Intent) {
	var prior record.Prior
	plan, err := c.awaitWebhook(ctx, func(ctx context.Context) (plan ssa.Plan, err error) {
		if intent.Patch != nil {
			plan, prior, err = patching.PlanFirst(ctx, api, intent)
		} else {
			plan, prior, err = parts.Plan(ctx, api, intent)
		}
		return plan, err
	})
	if err != nil {
		c.refuse(plan.Object, err)
		return
	}
	c.unknown()
	if plan.Located {
		c.plan.setObject(plan.Object, "")
		c.assumes(api, intent.Manifest, plan.Object)
		c.uid = prior.Snapshot.UID
		c.resource.provider.Registry().Targets.See(api, intent.FieldManager, prior)
	}
	c.show(plan)
	// The values are what the server makes of the fields of the part, whatever else the object has. Digests have a new key in
	// each plan.
	if plan.State != nil && len(prior.Snapshot.DigestKey) == 0 {
		foreseen := *c.plan
		foreseen.setPlannedState(*plan.State)
		c.plan.ManagedState = foreseen.ManagedState
	}
}

// create makes an object, or applies a part to one.
func (r *Resource) create(ctx context.Context, api cluster.Interface, intent intents.Intent, planned ssa.Plan) (record.Observed, []ssa.Warning, error) {
	run := r.provider.Registry()
	if !r.IsPart {
		return ssa.CreateObject(ctx, api, intent, planned, run)
	}
	if intent.Patch != nil {
		return r.createPatched(ctx, api, intent, planned.Object)
	}
	return parts.Create(ctx, api, intent, run.Targets.Take(api, intent.FieldManager, planned.Object), run)
}

// leavePart tells what a destroy makes of each field of a part.
func (r *Resource) leavePart(state Model, snapshot record.Snapshot) diag.Diagnostics {
	prior, diags := state.prior(snapshot)
	if !diags.HasError() && snapshot.Known() {
		diags.Append(r.Words.TakesBack(prior.Object, parts.FatesOf(prior, state.releases())))
	}
	return diags
}

// deletePart takes a part back, and leaves its object.
func (r *Resource) deletePart(ctx context.Context, state Model, prior record.Prior, resp *resource.DeleteResponse) {
	api, diags := r.provider.ConnectToApply(ctx, state.Cluster)
	resp.Diagnostics.Append(diags...)
	ctx, cancel, diags := withTimeout(ctx, state.Timeouts.Delete, deleteTimeout)
	defer cancel()
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	err := state.takeBack(ctx, api, prior)
	if cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonConflict {
		err = confirmed(ctx, api, prior, err)
	}
	switch {
	case err == nil:
	case errors.Is(err, errRecreated):
		resp.Diagnostics.Append(diagnostics.Superseded(prior.Object))
	case cluster.LacksCredentials(err) && !state.Cluster.IsNull():
		resp.Diagnostics.Append(r.Words.StaleDelete(prior.Object, err))
	default:
		resp.Diagnostics.Append(r.explain(diagnostics.TakenBack, prior.Object, err))
	}
}

// errRecreated is an object that was deleted and created again.
var errRecreated = errors.New("another object has the name")

// confirmed reads an object again of which a request said that it is gone, or another one, because that takes the resource out of the
// state: it returns nil if the object is gone, errRecreated if it is another one, and failed otherwise.
func confirmed(ctx context.Context, api cluster.Interface, prior record.Prior, failed error) error {
	live, err := cluster.Get(ctx, api, prior.Object)
	switch {
	case cluster.IsGone(err):
		return nil
	case err == nil && string(live.GetUID()) != prior.Snapshot.UID:
		return errRecreated
	default:
		return failed
	}
}

// takeBack gives up what a part owns of its object: with what it added, or without changing any value.
func (m Model) takeBack(ctx context.Context, api cluster.Interface, prior record.Prior) error {
	intent, _ := m.intent()
	intent.Manifest.Object = manifest.Identified(map[string]any{}, prior.Object)
	intent.Remove = nil
	intent.Ignore, intent.Sensitive, intent.OnConflict = nil, record.PatternsOf(prior.Snapshot.Sensitive), intents.Force
	if intent.Patch != nil {
		return patching.TakeBack(ctx, api, intent, prior, m.releases())
	}
	if m.releases() {
		_, err := deletion.Leave(ctx, api, prior.Object, prior.Snapshot.UID, m.FieldManager.ValueString())
		return err
	}
	return parts.TakeBack(ctx, api, intent, prior)
}

// viewOf returns the owners of the fields of a part, and of no others.
func viewOf(state prediction.PlannedState) ownership.View {
	view := ownership.View{FieldOwnership: map[string]string{}, CoOwners: map[string][]string{}}
	isOurs := func(field string) bool {
		_, has := state.ManagedState[field]
		return has || slices.Contains(state.UnknownValues, field)
	}
	for field, owner := range state.View.FieldOwnership {
		if isOurs(field) {
			view.FieldOwnership[field] = owner
		}
	}
	for field, owners := range state.View.CoOwners {
		if isOurs(field) {
			view.CoOwners[field] = owners
		}
	}
	return view
}

// added returns the value of added_fields; null for a resource that has no such attribute.
func (m *Model) added(fields []string) types.Set {
	if !m.resource.IsPart {
		return types.SetNull(types.StringType)
	}
	values := make([]attr.Value, len(fields))
	for i, field := range fields {
		values[i] = types.StringValue(field)
	}
	return types.SetValueMust(types.StringType, values)
}

// toRemove returns the value of fields_to_remove; null without remove_fields.
func (m *Model) toRemove(values map[string]string) types.Map {
	if m.RemoveFields.IsNull() {
		return types.MapNull(types.StringType)
	}
	return stringMap(values)
}

// withLive returns prior with the object as it is now: one GET. What the apply takes next is restored to that.
func withLive(ctx context.Context, api cluster.Interface, prior record.Prior) (record.Prior, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err == nil {
		prior.Live = live.Object
	}
	return prior, err
}
