package attributes

import (
	"context"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

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
