package ownershipdatasource

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/providerdata"
)

// timeout bounds a read, which is one request.
const timeout = time.Minute

// Read reads the object with one GET.
func (d *ownershipDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	query, err := m.query()
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("path"), "Invalid Field Path", err.Error())
		return
	}
	api, status, diags := d.provider.Connect(ctx, m.Cluster)
	resp.Diagnostics.Append(diags...)
	if status == providerdata.Deferred {
		resp.Diagnostics.Append(words.ConnectionUnknown(m.identity()))
	}
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	id, diags := complete(ctx, api, m.identity())
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	live, err := api.Get(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(words.Error(diagnostics.Read, id, err))
		return
	}
	report, err := blame.Read(live.Object, live.GetManagedFields(), query)
	if err != nil {
		resp.Diagnostics.Append(diagnostics.UnreadableOwnership(id, err))
		return
	}
	m.set(id, report)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// complete puts an object into the namespace that it is in. It sends nothing where discovery is known.
func complete(ctx context.Context, api cluster.Interface, id manifest.Identity) (manifest.Identity, diag.Diagnostics) {
	located, err := cluster.Locate(ctx, api, id)
	switch {
	case err != nil:
		return id, diag.Diagnostics{words.Error(diagnostics.Read, id, err)}
	case located.Namespace == "" && id.Namespace != "":
		return id, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("namespace"), "Invalid Namespace",
			id.String()+" could not be read: "+id.Kind+" is cluster-scoped.\n\nRemove namespace.")}
	}
	return located, nil
}
