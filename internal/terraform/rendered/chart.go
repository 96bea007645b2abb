// Package rendered has the data sources that render manifests: k8sconnect_chart and k8sconnect_kustomize. [All] returns
// them. A kustomization needs no cluster; a chart reads of it what the chart asks for.
package rendered

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chartsource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// All returns a constructor of each data source.
func All() []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &chartSource{} },
		func() datasource.DataSource { return kustomizeDataSource{} },
	}
}

var _ datasource.DataSourceWithConfigure = (*chartSource)(nil)

type chartSource struct{ provider *providerdata.Provider }

// chartNames are the names of the data source and its attributes in diagnostics.
var chartNames = diagnostics.Names{
	Noun: "data source", Type: "k8sconnect_chart", Target: "the chart", Cluster: attributes.AttributeName,
}

func (*chartSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_chart"
}

// Configure sets the provider's data.
func (s *chartSource) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	s.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// defaultNamespace is that of a release, as with Helm.
const defaultNamespace = "default"

func (s *chartSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m chartModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	values, secrets, diags := m.values()
	server, isUnknown, problems := s.cluster(ctx, m.Connection)
	if resp.Diagnostics.Append(append(diags, problems...)...); resp.Diagnostics.HasError() {
		return
	}
	loaded, err := m.source().Load(ctx)
	if err != nil {
		resp.Diagnostics.Append(invalid.Chart(err))
		return
	}
	request := chart.Request{
		Chart: loaded.Chart, Values: values, Secrets: secrets, Cluster: server, Renew: m.Renew.ValueBool(),
		Release: chart.Release{Name: m.Release.ValueString(), Namespace: defaultNamespace},
	}
	if namespace := m.Namespace.ValueString(); namespace != "" {
		request.Release.Namespace = namespace
	}
	if given := m.Capabilities; given != nil {
		request.Capabilities = &chart.Capabilities{KubeVersion: given.KubeVersion.ValueString()}
		for _, version := range given.APIVersions {
			if name := version.ValueString(); name != "" {
				request.Capabilities.APIVersions = append(request.Capabilities.APIVersions, name)
			}
		}
	}
	made, err := request.Render(ctx)
	if err == nil && isUnknown && len(made.Generated) > 0 && !request.Renew {
		err = chart.ErrNoCluster // The cluster may have these values.
	}
	if errors.Is(err, chart.ErrNoCluster) && isUnknown && req.ClientCapabilities.DeferralAllowed {
		resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), tftypes.UnknownValue)
		resp.Deferred = &datasource.Deferred{Reason: datasource.DeferredReasonProviderConfigUnknown}
		return
	}
	if err != nil {
		resp.Diagnostics.Append(m.failed(err, isUnknown))
		return
	}
	resp.Diagnostics.Append(m.warnings(made, server != nil)...)
	m.set(loaded, made)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

func (m *chartModel) source() chartsource.Source {
	return chartsource.Source{
		Chart: m.Chart.ValueString(), Repository: m.Repository.ValueString(), Version: m.Version.ValueString(),
		Digest: m.Digest.ValueString(), Username: m.Username.ValueString(), Password: m.Password.ValueString(),
		CACertificate: m.CACertificate.ValueString(),
	}
}

// values returns the values of the configuration, and the secret ones among them as strings.
func (m *chartModel) values() (values map[string]any, secrets []string, diags diag.Diagnostics) {
	values = map[string]any{}
	for _, argument := range []struct {
		name     string
		texts    []types.String
		isSecret bool
	}{{"values", m.Values, false}, {"secret_values", m.SecretValues, true}} {
		for i, given := range argument.texts {
			at, text := path.Root(argument.name).AtListIndex(i), given.ValueString() // Null has no values.
			decoded, err := manifest.Decode(text)
			_, isMap := decoded.(map[string]any)
			if fault, is := errors.AsType[*manifest.Error](err); is {
				diags.Append(invalid.ChartValues(at, fault.Error()))
				continue
			}
			var many *manifest.ManyDocumentsError
			if !errors.As(err, &many) && (err != nil || !isMap && decoded != nil) {
				diags.Append(invalid.ChartValues(at,
					"it is no map of values. Write YAML, for example file(\"values.yaml\")."))
				continue
			}
			read, err := loader.LoadValues(strings.NewReader(text))
			if err != nil {
				diags.Append(invalid.ChartValues(at, "it cannot be read as Helm reads values."))
				continue
			}
			values = loader.MergeMaps(values, read)
			if argument.isSecret {
				secrets = append(secrets, scalarsIn(read)...)
			}
		}
	}
	return values, secrets, diags
}

// scalarsIn returns the strings and numbers in a tree, as strings: a large number as templates, manifests and messages
// write it.
func scalarsIn(tree any) []string {
	var texts []string
	switch tree := tree.(type) {
	case map[string]any:
		for _, value := range tree {
			texts = append(texts, scalarsIn(value)...)
		}
	case []any:
		for _, value := range tree {
			texts = append(texts, scalarsIn(value)...)
		}
	case nil, bool:
	case float64:
		texts = append(texts, fmt.Sprint(tree), strconv.FormatFloat(tree, 'f', -1, 64),
			message.NewPrinter(language.English).Sprint(tree))
	default:
		texts = append(texts, fmt.Sprint(tree))
	}
	return texts
}

// failed returns the error about a chart that could not be rendered.
func (m *chartModel) failed(err error, isUnknown bool) diag.Diagnostic {
	var read *readError
	var values *chart.ValuesError
	switch {
	case errors.As(err, &read):
		return chartNames.Error(read.operation, read.object, read.cause)
	case errors.As(err, &values):
		return invalid.ChartValues(path.Root("values"), values.Error())
	case errors.Is(err, chart.ErrNoCluster) && isUnknown:
		return invalid.ChartBeforeCluster()
	case errors.Is(err, chart.ErrNoCluster):
		return invalid.ChartWithoutCluster()
	}
	return invalid.Rendering(err)
}

// warnings returns what a plan should know of generated values.
func (m *chartModel) warnings(made *chart.Rendering, hasCluster bool) diag.Diagnostics {
	var diags diag.Diagnostics
	if len(made.Unnamed) > 0 {
		diags.Append(invalid.GeneratedNames(made.Unnamed))
	}
	if len(made.Rerun) > 0 {
		diags.Append(invalid.GeneratedInHooks(made.Rerun))
	}
	if len(made.New) > 0 {
		diags.Append(invalid.GeneratedBesideOthers(made.New))
	}
	if len(made.Generated) > 0 && !hasCluster {
		diags.Append(invalid.GeneratedWithoutCluster(slices.Sorted(maps.Keys(made.Generated))))
	}
	return diags
}

// set sets the computed attributes.
func (m *chartModel) set(loaded *chartsource.Loaded, made *chart.Rendering) {
	m.Manifests, m.SecretManifests = made.Manifests, made.Secrets
	m.Hooks, m.SecretHooks, m.Generated = made.Hooks, made.SecretHooks, made.Generated
	metadata := loaded.Chart.Metadata
	m.ChartVersion, m.ChartDigest = attributes.OrNull(metadata.Version), attributes.OrNull(loaded.Digest)
	m.AppVersion = attributes.OrNull(metadata.AppVersion)
}

// cluster returns what a chart may read; nil if no cluster is configured, or it is not known yet.
func (s *chartSource) cluster(
	ctx context.Context, of attributes.Connection,
) (server chart.Cluster, isUnknown bool, diags diag.Diagnostics) {
	api, status, diags := s.provider.Connect(ctx, of)
	switch status {
	case providerdata.Ready:
		return chartCluster{api}, false, diags
	case providerdata.Missing:
		return nil, false, nil
	default:
		return nil, status == providerdata.Deferred, diags
	}
}

// chartCluster lets a chart read a cluster. Its errors are *readError.
type chartCluster struct{ api cluster.Interface }

// readError reports an object that could not be read.
type readError struct {
	operation diagnostics.Operation
	object    manifest.Identity
	cause     error
}

func (e *readError) Error() string { return e.object.String() + ": " + e.cause.Error() }

func (c chartCluster) Capabilities(ctx context.Context) (chart.Capabilities, error) {
	found, err := c.api.Capabilities(ctx)
	if err != nil {
		return chart.Capabilities{}, &readError{diagnostics.Read, manifest.Identity{}, err}
	}
	slices.Sort(found.APIVersions)
	return chart.Capabilities{KubeVersion: found.Version, APIVersions: slices.Compact(found.APIVersions)}, nil
}

func (c chartCluster) Get(ctx context.Context, id manifest.Identity) (map[string]any, error) {
	scope, err := c.api.Scope(ctx, id.APIVersion, id.Kind)
	switch {
	case cluster.ReasonOf(err) == cluster.ReasonKindNotServed:
		return nil, nil
	case err == nil && scope == cluster.ScopeCluster:
		id.Namespace = ""
	case err == nil && id.Namespace == "":
		return nil, nil // As with Helm, an object without a namespace is not found.
	}
	if err == nil {
		live, failed := c.api.Get(ctx, id)
		if failed == nil {
			return live.Object, nil
		}
		err = failed
	}
	if cluster.IsGone(err) {
		return nil, nil
	}
	return nil, &readError{diagnostics.Read, id, err}
}

func (c chartCluster) List(ctx context.Context, id manifest.Identity) ([]map[string]any, error) {
	query := cluster.ListQuery{
		APIVersion: id.APIVersion, Kind: id.Kind, Namespace: id.Namespace, AllNamespaces: id.Namespace == "",
	}
	selected, err := cluster.ListAll(ctx, c.api, query, cluster.Selection{})
	if cluster.ReasonOf(err) == cluster.ReasonKindNotServed {
		return nil, nil
	}
	if err != nil {
		return nil, &readError{diagnostics.Listed, query.Objects(), err}
	}
	objects := make([]map[string]any, len(selected.Objects))
	for i, object := range selected.Objects {
		objects[i] = object.Object
	}
	return objects, nil
}

type chartModel struct {
	Chart           types.String        `tfsdk:"chart"`
	Repository      types.String        `tfsdk:"repository"`
	Version         types.String        `tfsdk:"version"`
	Digest          types.String        `tfsdk:"digest"`
	Username        types.String        `tfsdk:"username"`
	Password        types.String        `tfsdk:"password"`
	CACertificate   types.String        `tfsdk:"ca_certificate"`
	Release         types.String        `tfsdk:"release"`
	Namespace       types.String        `tfsdk:"namespace"`
	Values          []types.String      `tfsdk:"values"`
	SecretValues    []types.String      `tfsdk:"secret_values"`
	Capabilities    *capabilitiesModel  `tfsdk:"capabilities"`
	Renew           types.Bool          `tfsdk:"renew"`
	Manifests       map[string]string   `tfsdk:"manifests"`
	SecretManifests map[string]string   `tfsdk:"secret_manifests"`
	Hooks           map[string]string   `tfsdk:"hooks"`
	SecretHooks     map[string]string   `tfsdk:"secret_hooks"`
	Generated       map[string][]string `tfsdk:"generated"`
	ChartVersion    types.String        `tfsdk:"chart_version"`
	ChartDigest     types.String        `tfsdk:"chart_digest"`
	AppVersion      types.String        `tfsdk:"app_version"`
	attributes.Connection
}

type capabilitiesModel struct {
	KubeVersion types.String   `tfsdk:"kube_version"`
	APIVersions []types.String `tfsdk:"api_versions"`
}

func (*chartSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	all := attributes.ConnectionOf[schema.Attribute]()
	maps.Copy(all, argumentsOfCharts())
	maps.Copy(all, resultsOfCharts())
	resp.Schema = attributes.DataSource("chart", all)
}

func argumentsOfCharts() map[string]schema.Attribute {
	text := schema.StringAttribute{Optional: true}
	texts := schema.ListAttribute{Optional: true, ElementType: types.StringType}
	password, secrets := text, texts
	password.Sensitive, secrets.Sensitive = true, true
	nameOfRelease := validators.Checked("the name of a release", func(text string) string {
		if err := chartutil.ValidateReleaseName(text); err != nil {
			return err.Error()
		}
		return ""
	})
	return map[string]schema.Attribute{
		"chart":      schema.StringAttribute{Required: true},
		"repository": text, "version": text, "digest": text, "username": text, "password": password,
		"ca_certificate": text,
		"release":        schema.StringAttribute{Required: true, Validators: []validator.String{nameOfRelease}},
		"namespace":      schema.StringAttribute{Optional: true, Validators: []validator.String{reading.Namespace}},
		"values":         texts, "secret_values": secrets,
		"capabilities": schema.SingleNestedAttribute{
			Optional: true, Attributes: map[string]schema.Attribute{"kube_version": text, "api_versions": texts},
		},
		"renew": schema.BoolAttribute{Optional: true},
	}
}

func resultsOfCharts() map[string]schema.Attribute {
	text := schema.StringAttribute{Computed: true}
	texts := schema.MapAttribute{Computed: true, ElementType: types.StringType}
	secrets := texts
	secrets.Sensitive = true
	return map[string]schema.Attribute{
		"manifests": texts, "secret_manifests": secrets, "hooks": texts, "secret_hooks": secrets,
		"generated":     schema.MapAttribute{Computed: true, ElementType: types.ListType{ElemType: types.StringType}},
		"chart_version": text, "chart_digest": text, "app_version": text,
	}
}
