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

const aboutChart = "Renders a Helm chart into the manifests of a `k8sconnect_manifests`, so that a plan shows each " +
	"object, each field that changes, and who owns it. Helm is built in: no `helm` program runs, and there is no " +
	"release.\n\n" +
	"The chart is rendered as for its first installation (`.Release.IsInstall`). `lookup` and `.Capabilities` read " +
	"the cluster, each object once. Values that the chart draws at random, such as passwords, certificates and " +
	"dates, are those of the objects on the cluster, once these exist; the user needs the right to `get` them.\n\n" +
	"What the templates can do is limited: no environment, no network, no file outside of the chart. The state has " +
	"what the chart makes, Secrets included."

// Schema implements datasource.DataSource.
func (*chartSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: aboutChart, Attributes: map[string]schema.Attribute{}}
	for _, group := range []map[string]schema.Attribute{
		whereCharts(), whatCharts(), ofCharts(), attributes.ConnectionOfDataSource(),
	} {
		maps.Copy(resp.Schema.Attributes, group)
	}
}

func argument(about string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: about, Validators: validators}
}

// whereCharts returns the arguments that name the source of the chart.
func whereCharts() map[string]schema.Attribute {
	chart := argument("A folder, an archive (`.tgz`) or its `https://` URL, a chart in a registry " +
		"(`oci://registry.example.com/charts/ingress`), or, with `repository`, the name of a chart.")
	chart.Optional, chart.Required = false, true
	password := argument("Password of `username`.")
	password.Sensitive = true
	return map[string]schema.Attribute{
		"chart": chart,
		"repository": argument("URL of a repository with an `index.yaml` (`https://charts.example.com`), or of a " +
			"registry (`oci://registry.example.com/charts`)."),
		"version": argument("Version of the chart, or a constraint such as `~4.13`. Default: the newest one that is " +
			"no prerelease. An exact version keeps plans the same."),
		"digest": argument("What the chart has to be: `chart_digest` of an earlier run. Anything else is an error. " +
			"Not for a folder."),
		"username": argument("User name for the host of `repository`, or of `chart`. Default: what the `auths` of " +
			"`~/.docker/config.json` have for it. No credential helper runs."),
		"password":       password,
		"ca_certificate": argument("PEM certificates that sign that of the host, beside those of the system."),
	}
}

// whatCharts returns the arguments of a rendering.
func whatCharts() map[string]schema.Attribute {
	release := argument("Name of the release: `.Release.Name` of the templates, which most charts begin names with.",
		validators.Checked("the name of a release", func(text string) string {
			if err := chartutil.ValidateReleaseName(text); err != nil {
				return err.Error()
			}
			return ""
		}))
	release.Optional, release.Required = false, true
	texts := func(about string, isSecret bool) schema.ListAttribute {
		return schema.ListAttribute{
			Optional: true, ElementType: types.StringType, MarkdownDescription: about, Sensitive: isSecret,
		}
	}
	return map[string]schema.Attribute{
		"release": release,
		"namespace": argument("Namespace of the release, and of objects that name none. Default: `default`. The "+
			"manifests do not create it.", reading.Namespace),
		"values": texts("Values as YAML, for example `file(\"values.yaml\")` or `yamlencode({ replicas = 3 })`. Later "+
			"ones override earlier ones.", false),
		"secret_values": texts("Values as YAML, over those of `values`. Error messages do not show them.", true),
		"capabilities": schema.SingleNestedAttribute{
			Optional: true,
			MarkdownDescription: "What the templates see as `.Capabilities`, for example where the cluster does not " +
				"exist yet. Default: those of the cluster, read if the chart looks at them.",
			Attributes: map[string]schema.Attribute{
				"kube_version": argument("Version of Kubernetes, for example `1.36`."),
				"api_versions": texts("API versions, and kinds in them, beside the versions that are built into "+
					"Kubernetes: `monitoring.coreos.com/v1`, `apps/v1/Deployment`.", false),
			},
		},
		"renew": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether to draw new values in place of those on the cluster, in each plan while it " +
				"is `true`: `renew = var.renew`, and one apply with `-var renew=true`. Default: `false`.",
		},
	}
}

// ofCharts returns the results.
func ofCharts() map[string]schema.Attribute {
	secrets := func(about string) schema.MapAttribute {
		attribute := texts(about)
		attribute.Sensitive = true
		return attribute
	}
	result := func(about string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: about}
	}
	return map[string]schema.Attribute{
		"manifests": texts("The objects without Secrets and hooks, the definitions in `crds/` included: YAML by " +
			"`group/kind/namespace/name`, for `manifests` of `k8sconnect_manifests`."),
		"secret_manifests": secrets("The Secrets, for `secret_manifests` of `k8sconnect_manifests`."),
		"hooks": texts("The objects that are hooks (`helm.sh/hook`), tests included, but for Secrets. Two hooks " +
			"about one object have a number after their key."),
		"secret_hooks": secrets("The Secrets that are hooks."),
		"generated": schema.MapAttribute{
			Computed: true, ElementType: types.ListType{ElemType: types.StringType},
			MarkdownDescription: "The fields with values that the chart draws in each rendering, by key.",
		},
		"chart_version": result("Version of the chart."),
		"chart_digest": result("Digest of the archive; in a registry, of its manifest, as `helm pull` prints it; " +
			"null for a folder."),
		"app_version": result("Version of what the chart installs, as its maker writes it; null if he does not."),
	}
}
