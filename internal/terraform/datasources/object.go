package datasources

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

var _ datasource.DataSourceWithConfigure = (*objectSource)(nil)

type objectSource struct {
	connected
}

// objectNames are the names of this data source and its attributes in diagnostics.
var objectNames = diagnostics.Names{
	Noun: "data source", Type: "k8sconnect_object", Target: "its name and namespace", Cluster: attributes.AttributeName,
	Reads: diagnostics.Reads{Optional: reading.OptionalAttribute}, Timeouts: diagnostics.Timeouts{Block: "timeouts"},
}

// readTimeout bounds the read of an object, but not its wait, if the configuration sets no timeout.
const readTimeout = time.Minute

// Read reads the object with one GET. If the configuration has a wait and the object is not ready, Read waits with one
// WATCH.
func (d *objectSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m objectModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	api := d.connect(ctx, m.Connection, m.Target.Object(), req, resp)
	if api == nil {
		return
	}
	timeout, diags := m.Timeouts.Read(ctx, readTimeout)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	began := time.Now()
	// For the read alone: await limits the wait that may follow.
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found, diags := reading.Request{Object: m.Target.Object(), Optional: m.Optional.ValueBool(),
		Names: objectNames}.Read(bounded, api)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	m.Locate(found.Object)
	if found.Live != nil {
		resp.Diagnostics.Append(m.await(ctx, api, &found, began)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	m.Result = reading.NewResult(found, reading.WithoutData)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// await waits until an object that exists is ready, and sets ready and the object as it was seen last. The timeout of
// the configuration counts from began; without one, the wait has a limit of its own.
func (m *objectModel) await(
	ctx context.Context, api cluster.Interface, found *reading.Found, began time.Time,
) diag.Diagnostics {
	if m.Wait.IsNull() {
		return nil
	}
	m.Ready = types.BoolValue(true)
	wait, err := waits.Of(m.Wait.Attributes())
	if err != nil || wait.Judge == nil {
		return nil // Validation has refused an invalid wait before.
	}
	limit, diags := m.Timeouts.Read(ctx, time.Since(began)+waiting.Limit(found.Live))
	ctx, cancel := context.WithDeadline(ctx, began.Add(limit))
	defer cancel()
	end, err := waiting.Await(ctx, api, found.Object, found.Live, wait.Goal)
	found.Live = end.Live
	outcome := unready.ReadFailed
	if wait.OnFailure == waits.Reports {
		outcome = unready.ReadUnready
	}
	diags.Append(waits.Report(objectNames, end, err, outcome, objectNames.Error)...)
	m.Ready = types.BoolValue(err == nil)
	return diags
}

var _ ephemeral.EphemeralResourceWithConfigure = (*objectEphemeral)(nil)

type objectEphemeral struct {
	provider *providerdata.Provider
}

// NewObjectEphemeral returns the ephemeral resource k8sconnect_object: an object on the cluster, which neither the
// state nor a plan stores.
func NewObjectEphemeral() ephemeral.EphemeralResource { return &objectEphemeral{} }

type ephemeralModel struct {
	reading.Target
	Optional types.Bool `tfsdk:"optional"`
	reading.Result
}

// ephemeralNames are the names of this ephemeral resource and its attributes in diagnostics.
var ephemeralNames = diagnostics.Names{
	Noun: "ephemeral resource", Type: "k8sconnect_object", Target: "its name and namespace",
	Cluster: attributes.AttributeName, Timeouts: diagnostics.Timeouts{Fixed: readTimeout},
	Reads: diagnostics.Reads{
		Optional: reading.OptionalAttribute, KnownInApply: "k8sconnect_manifest.NAME.object_ref.uid",
	},
}

func (e *objectEphemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_object"
}

func (e *objectEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	const block = "ephemeral k8sconnect_object"
	resp.Schema = schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(block, attributes.TheBlock),
		Attributes:          attributes.Described(block, attributes.In[schema.Attribute](reading.ObjectAttributes())),
	}
}

func (e *objectEphemeral) Configure(
	_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse,
) {
	e.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Open reads the object with one GET.
func (e *objectEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m ephemeralModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	// If the connection is unknown, Terraform would accept unknown values, but OpenTofu reports them as a bug of the
	// provider.
	api, diags := reading.Connect(ctx, e.provider, ephemeralNames, m.Connection, m.Target.Object())
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	found, diags := reading.Request{
		Object: m.Target.Object(), Optional: m.Optional.ValueBool(), Names: ephemeralNames,
	}.Read(ctx, api)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	m.Locate(found.Object)
	m.Result = reading.NewResult(found, reading.WithData)
	resp.Diagnostics.Append(resp.Result.Set(ctx, &m)...)
}

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
