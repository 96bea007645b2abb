package rendered

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

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

// Capabilities implements chart.Cluster.
func (c chartCluster) Capabilities(ctx context.Context) (chart.Capabilities, error) {
	found, err := c.api.Capabilities(ctx)
	if err != nil {
		return chart.Capabilities{}, &readError{diagnostics.Read, manifest.Identity{}, err}
	}
	slices.Sort(found.APIVersions)
	return chart.Capabilities{KubeVersion: found.Version, APIVersions: slices.Compact(found.APIVersions)}, nil
}

// Get implements chart.Cluster.
func (c chartCluster) Get(ctx context.Context, id manifest.Identity) (map[string]any, error) {
	scope, err := c.api.Scope(ctx, id.APIVersion, id.Kind)
	switch {
	case cluster.ReasonOf(err) == cluster.ReasonKindNotServed:
		return nil, nil
	case err == nil && scope == cluster.ScopeCluster:
		id.Namespace = ""
	case err == nil && id.Namespace == "":
		return nil, nil // As with Helm, no namespace is none that has the object.
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

// List implements chart.Cluster.
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
