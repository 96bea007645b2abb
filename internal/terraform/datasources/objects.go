package datasources

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var _ datasource.DataSourceWithConfigure = (*objectsSource)(nil)

type objectsSource struct {
	connected
}

// objectsTimeout bounds a read, which is one request for each 500 objects.
const objectsTimeout = 5 * time.Minute

// objectsNames are the names of this data source and its attributes in diagnostics.
var objectsNames = diagnostics.Names{
	Noun: "data source", Type: "k8sconnect_objects", Target: "its kind and namespace",
	Cluster: attributes.AttributeName, Timeouts: diagnostics.Timeouts{Fixed: objectsTimeout},
}

// Read lists the objects, with one LIST for each 500 of them.
func (d *objectsSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m objectsModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	api := d.connect(ctx, m.Connection, m.Collection.Objects(), req, resp)
	if api == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, objectsTimeout)
	defer cancel()
	selected, diags := m.list(ctx, api)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	m.set(selected)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// list returns the objects that the arguments select, sorted by namespace and name.
func (m objectsModel) list(ctx context.Context, api cluster.Interface) (cluster.Selected, diag.Diagnostics) {
	kind := m.Collection.Objects()
	query := cluster.ListQuery{
		APIVersion: kind.APIVersion, Kind: kind.Kind, Namespace: kind.Namespace,
		LabelSelector: m.LabelSelector.ValueString(), FieldSelector: m.FieldSelector.ValueString(),
		MetadataOnly: m.MetadataOnly.ValueBool(),
	}
	want := cluster.Selection{Limit: int(m.Limit.ValueInt64())}
	if manager := m.Manager.ValueString(); manager != "" {
		want.Keep = listing.Filter{Manager: manager, Controlled: true}.Keep
	}
	selected, err := listing.OfKind(ctx, api, query, want)
	if err != nil {
		return selected, diag.Diagnostics{reading.Unlisted(objectsNames, kind, err)}
	}
	return selected, nil
}

// set sets the computed attributes.
func (m *objectsModel) set(selected cluster.Selected) {
	objects := make([]any, len(selected.Objects))
	m.IDs = make([]string, len(selected.Objects))
	for i, object := range selected.Objects {
		objects[i], m.IDs[i] = reading.Shown(object, reading.WithoutData), manifest.IdentityOf(object).ID()
	}
	m.Objects, m.Truncated = types.DynamicValue(reading.Value(objects)), types.BoolValue(selected.Truncated)
}
