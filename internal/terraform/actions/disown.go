package actions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

type disownAction struct{ base }

type disownModel struct {
	attributes.Connection
	Managers      types.Set      `tfsdk:"managers"`
	Target        types.Object   `tfsdk:"target"`
	Kinds         types.List     `tfsdk:"kinds"`
	Namespace     types.String   `tfsdk:"namespace"`
	LabelSelector types.String   `tfsdk:"label_selector"`
	FieldSelector types.String   `tfsdk:"field_selector"`
	DryRun        types.Bool     `tfsdk:"dry_run"`
	Timeouts      timeouts.Value `tfsdk:"timeouts"`
}

// NewDisown returns the action k8sconnect_disown.
func NewDisown() action.Action {
	return &disownAction{base{Names: namesOf("k8sconnect_disown", "target")}}
}

// ModifyPlan reports an error if the arguments name the provider's own field manager.
func (a *disownAction) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	a.base.ModifyPlan(ctx, req, resp)
	var m disownModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(a.ownManager(m)...)
	}
}

// ownManager returns the error of an action that names the provider's own field manager.
func (a *disownAction) ownManager(m disownModel) diag.Diagnostics {
	own := a.provider.FieldManager().ValueString()
	if own == "" || !slices.Contains(knownStrings(m.Managers.Elements()), own) {
		return nil
	}
	return diag.Diagnostics{invalid.OwnManager(own)}
}

func knownStrings(elements []attr.Value) []string {
	var all []string
	for _, element := range elements {
		if text, is := element.(types.String); is && !text.IsUnknown() {
			all = append(all, text.ValueString())
		}
	}
	return all
}

// Invoke ends the claims of the named managers.
func (a *disownAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m disownModel
	a.invoke(ctx, req, resp, &m, func(api cluster.Interface, progress *progressReport) ended {
		ctx, cancel := context.WithTimeout(ctx, within(ctx, m.Timeouts, defaultLimit))
		defer cancel()
		if diags := a.ownManager(m); diags.HasError() {
			return ended{diags: diags}
		}
		managers := operations.Managers{
			Names: knownStrings(m.Managers.Elements()), Spared: []string{a.provider.FieldManager().ValueString()},
		}
		objects, diags := a.objects(ctx, api, m, managers)
		if diags.HasError() {
			return ended{diags: diags}
		}
		work := disownment{api: api, managers: managers, dryRun: m.DryRun.ValueBool(), progress: progress}
		for at, id := range objects {
			err := work.object(ctx, id)
			// The claims of an object that was deleted since the LIST are gone with it.
			if wasListed := m.Target.IsNull(); wasListed && cluster.IsGone(err) {
				continue
			}
			// Otherwise an action that stops before its last object would end without an error.
			if err == nil && at < len(objects)-1 {
				err = ctx.Err()
			}
			if err != nil {
				diags.Append(a.explain(diagnostics.Disowned, id, err))
			}
			if ctx.Err() != nil {
				rest := work.interrupted(id, len(objects)-at)
				progress.sendOnce(rest)
				return ended{diags, rest}
			}
		}
		if work.changed > 0 || !diags.HasError() {
			progress.sendOnce(work.summary())
		}
		return ended{diags: diags}
	})
}

// objects returns the objects on which the managers hold claims, or the only one that the configuration names.
func (a *disownAction) objects(
	ctx context.Context, api cluster.Interface, m disownModel, managers operations.Managers,
) ([]manifest.Identity, diag.Diagnostics) {
	if !m.Target.IsNull() {
		target := attributes.TargetOf(m.Target)
		id, err := cluster.Locate(ctx, api, target)
		if err != nil {
			return nil, diag.Diagnostics{a.explain(diagnostics.Disowned, target, err)}
		}
		return []manifest.Identity{id}, nil
	}
	query := listing.Query{
		Namespace: m.Namespace.ValueString(), LabelSelector: m.LabelSelector.ValueString(),
		FieldSelector: m.FieldSelector.ValueString(),
		Filter:        listing.Filter{Controlled: true, Claims: managers.HoldAny},
	}
	for _, text := range knownStrings(m.Kinds.Elements()) {
		if kind, is := listing.ParseKind(text); is {
			query.Kinds = append(query.Kinds, kind)
		}
	}
	if len(query.Kinds) == 0 {
		return nil, diag.Diagnostics{neitherTargetNorKinds()} // A query without kinds would find objects of all kinds.
	}
	found, err := query.Find(ctx, api)
	if err != nil {
		return nil, diag.Diagnostics{reading.Unlisted(a.Names, query.Objects(), err)}
	}
	var diags diag.Diagnostics
	for _, problem := range found.Problems {
		diags.Append(reading.Unlisted(a.Names, problem.Objects, problem.Err))
	}
	var all []manifest.Identity
	for _, object := range found.Objects {
		all = append(all, object.ID)
	}
	return all, diags
}

// disownment ends claims on one object after another.
type disownment struct {
	api      cluster.Interface
	managers operations.Managers
	dryRun   bool
	progress *progressReport
	changed  int
}

func (d *disownment) object(ctx context.Context, id manifest.Identity) error {
	do, verb := d.managers.Disown, "no longer owns"
	if d.dryRun {
		do, verb = d.managers.Look, "would no longer own"
	}
	lost, err := do(ctx, d.api, id)
	if err != nil {
		return err
	}
	for _, loss := range lost.Of {
		d.progress.sendOnce(fmt.Sprintf("%s: %s %s %s", id, who(loss), verb, listed(loss.Fields)))
	}
	if len(lost.Of) > 0 {
		d.changed++
	}
	return nil
}

// summary returns a sentence with the number of objects on which claims have ended.
func (d *disownment) summary() string {
	objects := diagnostics.Number(d.changed, "1 object", "%d objects")
	switch {
	case d.changed == 0:
		return "No object has a claim of these managers."
	case d.dryRun:
		return "Dry run: claims on " + objects + " would end."
	default:
		return "Claims on " + objects + " have ended."
	}
}

// interrupted returns sentences about the result if the action stops at one of the objects.
func (d *disownment) interrupted(at manifest.Identity, left int) string {
	if d.dryRun {
		return ""
	}
	text := fmt.Sprintf("It is unknown whether the claims on %s have ended.", at)
	if d.changed > 0 {
		text = d.summary() + " " + text
	}
	if left > 1 {
		text += fmt.Sprintf(" The action did not reach %d more objects.", left-1)
	}
	return text + " Invoke the action again for the rest."
}

// who returns the name, operation and subresource of the manager of a loss, as messages show it.
func who(loss operations.Loss) string {
	manager := loss.Manager
	text := manager.Name + " (" + string(manager.Operation)
	if manager.Subresource != "" {
		text += " of " + manager.Subresource
	}
	return text + ")"
}

// mostFields is the number of fields that a line of progress names.
const mostFields = 8

// listed returns fields as part of a sentence.
func listed(fields []string) string {
	if more := len(fields) - mostFields; more > 1 {
		return strings.Join(fields[:mostFields], ", ") + fmt.Sprintf(" and %d more fields", more)
	}
	return strings.Join(fields, ", ")
}

func (a *disownAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	target := attributes.ActionTarget()
	target.Required, target.Optional = false, true
	resp.Schema = a.schema(ctx, map[string]schema.Attribute{
		"managers": schema.SetAttribute{
			Required: true, ElementType: types.StringType,
			Validators: []validator.Set{validators.EachOfSome(attributes.ManagerValidator(attributes.MayEndInStar),
				noLoneStar)},
		},
		"target": target,
		"kinds": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			Validators: []validator.List{validators.EachOfSome(reading.KindWithVersion)},
		},
		"namespace":      schema.StringAttribute{Optional: true, Validators: []validator.String{reading.Namespace}},
		"label_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.LabelSelector}},
		"field_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.FieldSelector}},
		"dry_run":        schema.BoolAttribute{Optional: true},
	})
}

var noLoneStar = validators.Text("the names of some managers", func(text string) string {
	if text == "*" {
		return "* means every manager, controllers included.\n\nWrite the names, or the beginning of names and *."
	}
	return ""
})

func neitherTargetNorKinds() diag.Diagnostic {
	return invalid.Missing("Neither target nor kinds is set.\n\nSet target for one object, or kinds for many, for " +
		"example kinds = [\"Deployment\", \"v1 Service\"].")
}

// ValidateConfig reports an error for arguments that name no objects, or that name objects in two ways.
func (a *disownAction) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	var m disownModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	selectors := map[string]types.String{
		"namespace": m.Namespace, "label_selector": m.LabelSelector, "field_selector": m.FieldSelector,
	}
	switch {
	case m.Target.IsNull() && m.Kinds.IsNull():
		resp.Diagnostics.Append(neitherTargetNorKinds())
	case !m.Target.IsNull() && !m.Kinds.IsNull():
		resp.Diagnostics.Append(invalid.Combination(path.Root("kinds"),
			"kinds and target cannot be set together.\n\nRemove one of them."))
	case !m.Target.IsNull():
		for name, value := range selectors {
			if !value.IsNull() {
				resp.Diagnostics.Append(invalid.Combination(path.Root(name),
					name+" belongs to kinds, and target is set.\n\nRemove "+name+"."))
			}
		}
	}
}
