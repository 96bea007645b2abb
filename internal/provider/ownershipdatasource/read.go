package ownershipdatasource

import (
	"context"
	"errors"
	"strings"
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
		resp.Diagnostics.Append(failed("Cluster Connection Unknown", m.identity(), "the cluster connection is only known after the apply",
			"Name the resource that creates the cluster in depends_on of this data source, so that it is read after that, "+
				"or create the cluster first."))
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
		resp.Diagnostics.Append(explain(id, err))
		return
	}
	report, err := blame.Read(live.Object, live.GetManagedFields(), query)
	if err != nil {
		resp.Diagnostics.Append(failed("Unreadable Ownership", id, err.Error(), "Check who wrote metadata.managedFields of the object."))
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
		return id, diag.Diagnostics{explain(id, err)}
	case located.Namespace == "" && id.Namespace != "":
		return id, diag.Diagnostics{diag.WithPath(path.Root("namespace"),
			failed("Invalid Namespace", id, id.Kind+" is cluster-scoped", "Remove namespace."))}
	}
	return located, nil
}

// explain says why a read failed, with a next step that fits a data source.
func explain(id manifest.Identity, err error) diag.Diagnostic {
	var failure *cluster.Error
	if !errors.As(err, &failure) {
		return diagnostics.Error(diagnostics.Read, id, err)
	}
	named := *failure
	named.Object = id
	switch named.Reason {
	case cluster.ReasonNotFound:
		return failed("Object Not Found", id, "it does not exist",
			"Correct its name and namespace, or name the resource that creates it in depends_on of this data source.")
	case cluster.ReasonTimeout:
		return failed("Timeout", id, named.Message, "Try again; the cluster had "+timeout.String()+" to answer.")
	default:
		return diagnostics.Error(diagnostics.Read, id, &named)
	}
}

func failed(summary string, id manifest.Identity, seen, next string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summary, id.String()+" could not be read: "+strings.TrimSuffix(seen, ".")+".\n\n"+next)
}
