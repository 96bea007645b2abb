package manifestlist

import (
	"context"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

type listModel struct {
	APIVersion       types.String `tfsdk:"api_version"`
	Kind             types.String `tfsdk:"kind"`
	Kinds            types.List   `tfsdk:"kinds"`
	Namespace        types.String `tfsdk:"namespace"`
	LabelSelector    types.String `tfsdk:"label_selector"`
	FieldSelector    types.String `tfsdk:"field_selector"`
	Manager          types.String `tfsdk:"manager"`
	ManagerOperation types.String `tfsdk:"manager_operation"`
	Unmanaged        types.Bool   `tfsdk:"unmanaged"`
	Controlled       types.Bool   `tfsdk:"controlled"`
	attributes.Connection
}

// query returns the query that the arguments describe.
func (m listModel) query(fieldManager string) listing.Query {
	query := listing.Query{
		Namespace: m.Namespace.ValueString(), LabelSelector: m.LabelSelector.ValueString(),
		FieldSelector: m.FieldSelector.ValueString(),
		Filter: listing.Filter{
			Manager:    m.Manager.ValueString(),
			Operation:  metav1.ManagedFieldsOperationType(m.ManagerOperation.ValueString()),
			Controlled: m.Controlled.ValueBool(),
		},
		Now: time.Now(),
	}
	if m.Unmanaged.ValueBool() {
		query.Filter.Without = func(manager string) bool {
			return manager == fieldManager || ownership.AppliesWhole(manager)
		}
	}
	if !m.Kind.IsNull() {
		query.Kinds = []cluster.ServedKind{{APIVersion: m.APIVersion.ValueString(), Kind: m.Kind.ValueString()}}
	}
	for _, element := range m.Kinds.Elements() {
		text, _ := element.(types.String)
		kind, _ := listing.ParseKind(text.ValueString())
		query.Kinds = append(query.Kinds, kind)
	}
	return query
}

func (l *manifestList) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	all := map[string]schema.Attribute{
		"api_version": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.APIVersion}},
		"kind":        schema.StringAttribute{Optional: true, Validators: []validator.String{reading.Kind}},
		"kinds": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			Validators: []validator.List{validators.EachOfSome(reading.KindWithVersion)},
		},
		"namespace":      schema.StringAttribute{Optional: true, Validators: []validator.String{reading.Namespace}},
		"label_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.LabelSelector}},
		"field_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.FieldSelector}},
		"manager": schema.StringAttribute{
			Optional: true, Validators: []validator.String{attributes.ManagerValidator(attributes.MayEndInStar)},
		},
		"manager_operation": schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				validators.OneOf(string(metav1.ManagedFieldsOperationApply),
					string(metav1.ManagedFieldsOperationUpdate)),
				validators.Needs("manager"),
			},
		},
		"unmanaged":  schema.BoolAttribute{Optional: true},
		"controlled": schema.BoolAttribute{Optional: true},
	}
	maps.Copy(all, attributes.UnmarkedConnectionOf[schema.Attribute]())
	const block = "list k8sconnect_manifest"
	resp.Schema = schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(block, attributes.TheBlock),
		Attributes:          attributes.Described(block, all),
	}
}

// ValidateListResourceConfig refuses arguments that contradict each other, or of which one needs another.
func (l *manifestList) ValidateListResourceConfig(
	ctx context.Context, req list.ValidateConfigRequest, resp *list.ValidateConfigResponse,
) {
	var m listModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	if at, problem := m.problem(); problem != "" {
		resp.Diagnostics.Append(invalid.Combination(path.Root(at), problem))
	}
}

// problem returns an invalid argument and its mistake; "" if the arguments are valid.
func (m listModel) problem() (attribute, problem string) {
	hasKind, hasVersion, hasKinds := !m.Kind.IsNull(), !m.APIVersion.IsNull(), !m.Kinds.IsNull()
	switch {
	case hasKinds && hasKind:
		return "kinds", "kinds and kind cannot be set together.\n\nList the kinds in kinds, for example kinds = " +
			"[\"Deployment\", \"v1 Service\"]."
	case hasKinds && hasVersion:
		return "api_version", "api_version belongs to kind, and kinds is set.\n\nAdd the version to kinds, for " +
			"example kinds = [\"apps/v1 Deployment\"]."
	case hasKind && !hasVersion:
		return "kind", "kind needs api_version.\n\nAdd it, for example api_version = \"apps/v1\", or write kinds " +
			"= [\"" + m.Kind.ValueString() + "\"]."
	case hasVersion && !hasKind:
		return "api_version", "api_version needs kind.\n\nAdd it, for example kind = \"Deployment\", or leave " +
			"api_version out to list all kinds."
	}
	if other := m.fieldOfFewKinds(); other != "" && !hasKind && !hasKinds {
		return "field_selector", "field_selector selects by " + other +
			", which few kinds have, and all kinds are listed.\n\nName the kind, or select by metadata.name or " +
			"metadata.namespace."
	}
	return "", ""
}

// fieldOfFewKinds returns a field of the field selector that not every kind has, or "".
func (m listModel) fieldOfFewKinds() string {
	selector, err := fields.ParseSelector(m.FieldSelector.ValueString())
	if err != nil {
		return "" // The attribute's validator reports it.
	}
	for _, requirement := range selector.Requirements() {
		if requirement.Field != "metadata.name" && requirement.Field != "metadata.namespace" {
			return requirement.Field
		}
	}
	return ""
}
