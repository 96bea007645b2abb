package datasources

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var _ datasource.DataSourceWithConfigure = (*ownershipSource)(nil)

type ownershipSource struct {
	connected
}

// ownershipNames are what diagnostics say of this data source.
var ownershipNames = diagnostics.Names{
	Noun: "data source", Target: "its name and namespace", Cluster: attributes.AttributeName,
	FixedTimeout: ownershipTimeout,
}

// ownershipTimeout bounds a read, which is one request.
const ownershipTimeout = time.Minute

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
	if reading.Defer(ctx, d.provider, m.Connection, req, resp) {
		return
	}
	api, diags := reading.Connect(ctx, d.provider, ownershipNames, m.Collection, m.Object())
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, ownershipTimeout)
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
