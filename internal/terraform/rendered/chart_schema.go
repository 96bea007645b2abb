package rendered

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

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
	all := attributes.ConnectionOfDataSource()
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
