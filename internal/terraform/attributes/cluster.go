package attributes

import (
	"context"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// AttributeName is the name of the connection's attribute, in the provider and in its resources.
const AttributeName = "cluster"

// connection returns the attributes of a connection. isMarked is false for a schema that cannot mark sensitive values.
func connection(isMarked bool) map[string]schema.Attribute {
	text, flag := schema.StringAttribute{Optional: true}, schema.BoolAttribute{Optional: true}
	needed := schema.StringAttribute{Required: true}
	secret := schema.StringAttribute{Optional: true, Sensitive: isMarked}
	return map[string]schema.Attribute{
		"kubeconfig": secret, "config_path": text, "context": text, "namespace": text, "host": text,
		"cluster_ca_certificate": text, "client_certificate": secret, "client_key": secret, "token": secret,
		"token_file": text, "in_cluster": flag, "proxy_url": secret, "tls_server_name": text, "insecure": flag,
		"accept_new_cluster": flag,
		"exec": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
			"api_version": needed, "command": needed,
			"args": schema.ListAttribute{Optional: true, ElementType: types.StringType},
			"env":  schema.MapAttribute{Optional: true, Sensitive: isMarked, ElementType: types.StringType},
		}},
	}
}

// ClustersOfProvider returns the attribute `clusters` of the provider, with its validation.
func ClustersOfProvider() schema.MapNestedAttribute {
	return schema.MapNestedAttribute{
		Optional: true,
		NestedObject: schema.NestedAttributeObject{
			Attributes: connection(true), Validators: []validator.Object{Valid()},
		},
		Validators: []validator.Map{clusterNames{"names that can be written into an import ID"}},
	}
}

// ProviderAttribute returns the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true, Attributes: connection(true), Validators: []validator.Object{validOfProvider()},
	}
}

// ConnectionOf returns the attributes `cluster` and `cluster_name` in a kind of schema, with their validation.
func ConnectionOf[A any]() map[string]A { return In[A](chosen(connection(true))) }

// UnmarkedConnectionOf returns those of a kind of schema that cannot mark sensitive values.
func UnmarkedConnectionOf[A any]() map[string]A { return In[A](chosen(connection(false))) }

func chosen(connection map[string]schema.Attribute) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		AttributeName: schema.SingleNestedAttribute{
			Optional: true, Attributes: connection,
			Validators: []validator.Object{Valid(), validators.Excludes(ClusterNameAttribute)},
		},
		ClusterNameAttribute: schema.StringAttribute{Optional: true},
	}
}

// In returns attributes of one kind of schema in another. The plugin framework accepts attributes of any kind in each.
func In[A, B any](all map[string]B) map[string]A {
	others := make(map[string]A, len(all))
	for name, attribute := range all {
		others[name], _ = any(attribute).(A)
	}
	return others
}

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
	var given struct {
		connect.Config
		AcceptNewCluster bool `tfsdk:"accept_new_cluster"`
	}
	nulls := basetypes.ObjectAsOptions{UnhandledNullAsEmpty: true}
	if diags := cluster.As(ctx, &given, nulls); diags.HasError() {
		return connect.Config{}, Absent, diags
	}
	return given.Config, Known, nil
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

// The names of the attributes that choose a cluster by its name.
const (
	// ClusterNameAttribute names one of the provider's clusters.
	ClusterNameAttribute = "cluster_name"
	// ClustersAttribute is the attribute of the provider with its clusters, by name.
	ClustersAttribute = "clusters"
)

// Connection is how a block of the configuration chooses its cluster, for models to embed: by a connection of its own,
// by the name of one of the provider's clusters, or, if both are null, by the provider's connection.
type Connection struct {
	Cluster     types.Object `tfsdk:"cluster"`
	ClusterName types.String `tfsdk:"cluster_name"`
}

// SameCluster reports whether two blocks choose the same cluster in the same way.
func (c Connection) SameCluster(other Connection) bool {
	return SameValue(c.Cluster, other.Cluster) && SameValue(c.ClusterName, other.ClusterName)
}

// IsOwn reports whether the block has a connection of its own, which Terraform stores with it.
func (c Connection) IsOwn() bool { return !c.Cluster.IsNull() }

// ClusterAttribute returns the name of the attribute that chooses the cluster.
func (c Connection) ClusterAttribute() string {
	if c.ClusterName.IsNull() {
		return AttributeName
	}
	return ClusterNameAttribute
}

// SameValue reports whether two values are equal, or both null. The null values of attributes that the resource does
// not have are untyped, and the framework's Equal reports them as different.
func SameValue(one, other attr.Value) bool { return one.IsNull() && other.IsNull() || one.Equal(other) }

// AcceptsNew reports whether a connection may lead to another cluster than that of the state.
func AcceptsNew(cluster types.Object) bool {
	accepts, _ := cluster.Attributes()["accept_new_cluster"].(types.Bool)
	return accepts.ValueBool()
}

// clusterNames checks the names of the provider's clusters.
type clusterNames struct{ validators.Described }

func (clusterNames) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for name := range req.ConfigValue.Elements() {
		if problem := nameProblem(name); problem != "" {
			resp.Diagnostics.Append(invalid.ClusterName(req.Path, name, problem))
		}
	}
}

// nameProblem returns what is wrong with the name of a cluster; "" if it is valid.
func nameProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > 253:
		return "is longer than 253 bytes"
	case strings.ContainsFunc(name, func(r rune) bool { return r == ',' || unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return "has a comma, a space or a character that cannot be printed"
	}
	return ""
}
