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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
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
			return manager == fieldManager || providerdata.AppliesWhole(manager)
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

// ListResourceConfigSchema implements list.ListResource.
func (l *manifestList) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds objects on a cluster, whoever created them, for `terraform query`: by kind, by " +
			"selectors, and by the manager that owns their fields. With `-generate-config-out`, Terraform writes " +
			"them as resources with their `import` blocks. Needs Terraform 1.14.",
		Attributes: map[string]schema.Attribute{
			"api_version": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.APIVersion},
				MarkdownDescription: "API version of `kind`, for example `apps/v1`.",
			},
			"kind": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.Kind},
				MarkdownDescription: "The only kind to list, for example `Deployment`, together with `api_version`.",
			},
			"kinds": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				Validators: []validator.List{validators.EachOfSome(reading.KindWithVersion)},
				MarkdownDescription: "The kinds to list, for example `[\"Deployment\", \"v1 Service\"]`. A kind " +
					"without an API version has the one that the API server prefers. Default: all kinds that can be " +
					"listed and applied, except Events, Leases and EndpointSlices, which controllers use.",
			},
			"namespace": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.Namespace},
				MarkdownDescription: "Namespace of the objects. Default: all namespaces, and cluster-scoped objects.",
			},
			"label_selector": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.LabelSelector},
				MarkdownDescription: "Labels of the objects, as `kubectl get -l` takes them, for example " +
					"`app=web,tier in (front, back)`.",
			},
			"field_selector": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.FieldSelector},
				MarkdownDescription: "Fields of the objects, as `kubectl get --field-selector` takes them. Every " +
					"kind has `metadata.name` and `metadata.namespace`. Other fields need `kind` or `kinds`.",
			},
			"manager": schema.StringAttribute{
				Optional: true, Validators: []validator.String{attributes.ManagerValidator(attributes.MayEndInStar)},
				MarkdownDescription: "Name of a manager, which may end in `*`, for example " +
					"`kubectl-client-side-apply`. Lists only objects in which such a manager owns a field, status " +
					"included.",
			},
			"manager_operation": schema.StringAttribute{
				Optional: true,
				Validators: []validator.String{
					validators.OneOf(string(metav1.ManagedFieldsOperationApply),
						string(metav1.ManagedFieldsOperationUpdate)),
					validators.Needs("manager"),
				},
				MarkdownDescription: "How `manager` came to own the field: `Apply`, by server-side apply, or " +
					"`Update`, by any other write. Default: either.",
			},
			"unmanaged": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to leave out the objects that this provider applies whole: those in " +
					"which its `field_manager`, `" + providerdata.DefaultFieldManager + "` or the default manager of " +
					"a set owns a field by server-side apply. A manager that only a resource names is not known. " +
					"Default: `false`.",
			},
			"controlled": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to list what controllers made too: objects whose `ownerReferences` " +
					"name a controller, objects that nobody but controllers wrote to, those without any owner in " +
					"`kube-system`, the ServiceAccounts `default`, the ConfigMaps `kube-root-ca.crt`, and the " +
					"Secrets in which Helm keeps its releases. Default: `false`.",
			},
		},
	}
	maps.Copy(resp.Schema.Attributes, attributes.ConnectionOfList())
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
