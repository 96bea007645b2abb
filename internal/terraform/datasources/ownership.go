package datasources

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var _ datasource.DataSourceWithConfigure = (*ownershipSource)(nil)

type ownershipSource struct {
	connected
}

// ownershipNames are the names of this data source and its attributes in diagnostics.
var ownershipNames = diagnostics.Names{
	Noun: "data source", Target: "its name and namespace",
	Cluster: attributes.AttributeName, Timeouts: diagnostics.Timeouts{Fixed: readTimeout},
}

// Read reads the object with one GET.
func (d *ownershipSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m ownershipModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	query, err := m.query()
	if err != nil {
		resp.Diagnostics.Append(invalid.FieldPath(path.Root("path"), "path", err.Error()))
		return
	}
	api := d.connect(ctx, m.Connection, m.Object(), req, resp)
	if api == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	found, diags := reading.Request{Object: m.Object(), Names: ownershipNames}.Read(ctx, api)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	report, err := blame.Read(found.Live.Object, found.Live.GetManagedFields(), query)
	if err != nil {
		resp.Diagnostics.Append(diagnostics.UnreadableOwnership(found.Object, err))
		return
	}
	m.set(found.Object, report)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

type ownershipModel struct {
	reading.Target
	Manager       types.String   `tfsdk:"manager"`
	Path          types.String   `tfsdk:"path"`
	IncludeStatus types.Bool     `tfsdk:"include_status"`
	Fields        []ownedField   `tfsdk:"fields"`
	Managers      []managerRow   `tfsdk:"managers"`
	Stale         []staleField   `tfsdk:"stale"`
	Unowned       []unownedField `tfsdk:"unowned"`
	AnnotatedYAML types.String   `tfsdk:"annotated_yaml"`
}

type ownedField struct {
	Path   string          `tfsdk:"path"`
	Value  *string         `tfsdk:"value"`
	Owners []reading.Owner `tfsdk:"owners"`
}

type staleField struct {
	Path   string          `tfsdk:"path"`
	Owners []reading.Owner `tfsdk:"owners"`
}

type unownedField struct {
	Path  string  `tfsdk:"path"`
	Value *string `tfsdk:"value"`
}

type managerRow struct {
	reading.Owner
	Fields int64 `tfsdk:"fields"`
}

// query returns the query to which the arguments narrow the report. Validation has accepted the path before.
func (m ownershipModel) query() (blame.Query, error) {
	query := blame.Query{Manager: m.Manager.ValueString()}
	if m.IncludeStatus.ValueBool() {
		query.Status = blame.WithStatus
	}
	if m.Path.IsNull() {
		return query, nil
	}
	pattern, err := paths.Parse(m.Path.ValueString())
	query.Path = paths.Patterns{pattern}
	return query, err
}

// set sets the computed attributes. Lists without elements are empty, not null.
func (m *ownershipModel) set(id manifest.Identity, report blame.Report) {
	m.Locate(id)
	m.Fields = make([]ownedField, 0, len(report.Fields))
	for _, field := range report.Fields {
		m.Fields = append(m.Fields, ownedField{
			Path: field.Path, Value: field.Value, Owners: reading.Owners(field.Owners),
		})
	}
	m.Managers = make([]managerRow, 0, len(report.Managers))
	for _, manager := range report.Managers {
		m.Managers = append(m.Managers, managerRow{
			Owner: reading.NewOwner(manager.Holder), Fields: int64(manager.Fields),
		})
	}
	m.Stale = make([]staleField, 0, len(report.Stale))
	for _, field := range report.Stale {
		m.Stale = append(m.Stale, staleField{Path: field.Path, Owners: reading.Owners(field.Owners)})
	}
	m.Unowned = make([]unownedField, 0, len(report.Unowned))
	for _, field := range report.Unowned {
		m.Unowned = append(m.Unowned, unownedField{Path: field.Path, Value: field.Value})
	}
	m.AnnotatedYAML = types.StringValue(report.AnnotatedYAML)
}
