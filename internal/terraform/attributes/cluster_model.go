package attributes

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// State describes whether a connection is set and known.
type State string

const (
	// Absent is a connection that the configuration does not set.
	Absent State = "Absent"
	// Unknown is a connection of which at least one value will only be known during the apply.
	Unknown State = "Unknown"
	// Known is a connection whose values are all known. It may still be invalid.
	Known State = "Known"
)

type model struct {
	Kubeconfig           types.String `tfsdk:"kubeconfig"`
	ConfigPath           types.String `tfsdk:"config_path"`
	Context              types.String `tfsdk:"context"`
	Namespace            types.String `tfsdk:"namespace"`
	Host                 types.String `tfsdk:"host"`
	ClusterCACertificate types.String `tfsdk:"cluster_ca_certificate"`
	ClientCertificate    types.String `tfsdk:"client_certificate"`
	ClientKey            types.String `tfsdk:"client_key"`
	Token                types.String `tfsdk:"token"`
	TokenFile            types.String `tfsdk:"token_file"`
	Exec                 *execModel   `tfsdk:"exec"`
	InCluster            types.Bool   `tfsdk:"in_cluster"`
	ProxyURL             types.String `tfsdk:"proxy_url"`
	TLSServerName        types.String `tfsdk:"tls_server_name"`
	Insecure             types.Bool   `tfsdk:"insecure"`
	AcceptNewCluster     types.Bool   `tfsdk:"accept_new_cluster"`
}

type execModel struct {
	APIVersion types.String            `tfsdk:"api_version"`
	Command    types.String            `tfsdk:"command"`
	Args       []types.String          `tfsdk:"args"`
	Env        map[string]types.String `tfsdk:"env"`
}

// Decode reads a value of the attribute. The configuration is empty unless the state is Known; a null
// attribute is then an empty string.
func Decode(ctx context.Context, cluster types.Object) (connect.Config, State, diag.Diagnostics) {
	var diags diag.Diagnostics
	if cluster.IsNull() {
		return connect.Config{}, Absent, nil
	}
	value, err := cluster.ToTerraformValue(ctx)
	if err != nil {
		diags.Append(invalid.UndecodedConnection(AttributeName, err))
		return connect.Config{}, Absent, diags
	}
	if !value.IsFullyKnown() {
		return connect.Config{}, Unknown, nil
	}
	var m model
	if diags := cluster.As(ctx, &m, basetypes.ObjectAsOptions{}); diags.HasError() {
		return connect.Config{}, Absent, diags
	}
	return m.config(), Known, nil
}

func (m model) config() connect.Config {
	cfg := connect.Config{
		Kubeconfig: m.Kubeconfig.ValueString(), ConfigPath: m.ConfigPath.ValueString(),
		Context: m.Context.ValueString(), Namespace: m.Namespace.ValueString(), Host: m.Host.ValueString(),
		ClusterCACertificate: m.ClusterCACertificate.ValueString(),
		ClientCertificate:    m.ClientCertificate.ValueString(), ClientKey: m.ClientKey.ValueString(),
		Token: m.Token.ValueString(), TokenFile: m.TokenFile.ValueString(), InCluster: m.InCluster.ValueBool(),
		ProxyURL: m.ProxyURL.ValueString(), TLSServerName: m.TLSServerName.ValueString(),
		Insecure: m.Insecure.ValueBool(),
	}
	if m.Exec == nil {
		return cfg
	}
	cfg.Exec = &connect.ExecConfig{APIVersion: m.Exec.APIVersion.ValueString(), Command: m.Exec.Command.ValueString()}
	for _, arg := range m.Exec.Args {
		cfg.Exec.Args = append(cfg.Exec.Args, arg.ValueString())
	}
	for name, value := range m.Exec.Env {
		if cfg.Exec.Env == nil {
			cfg.Exec.Env = make(map[string]string, len(m.Exec.Env))
		}
		cfg.Exec.Env[name] = value.ValueString()
	}
	return cfg
}

// Valid reports all contradictions in a connection whose values are all known, each at its attribute. It reads no file
// and no environment variable: the machine that validates a configuration need not be the one that applies it.
func Valid() validator.Object { return validConnection{howToReach, connect.Config.ValidateShape} }

// validOfProvider does what [Valid] does, for a connection whose credentials may come from the environment.
func validOfProvider() validator.Object {
	return validConnection{howToReach, connect.Config.ValidateArguments}
}

const howToReach validators.Described = "says in exactly one way how to reach a cluster, and as whom"

type validConnection struct {
	validators.Described
	problems func(connect.Config) []connect.FieldProblem
}

func (v validConnection) ValidateObject(
	ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse,
) {
	cfg, state, diags := Decode(ctx, req.ConfigValue)
	resp.Diagnostics.Append(diags...)
	if state == Known {
		resp.Diagnostics.Append(invalid.ConnectionAttributes(req.Path, v.problems(cfg))...)
	}
}
