package providerdata

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
)

// choice is the key of a connection that the log has.
type choice struct {
	client *kube.Client
	source source
}

// logChoice writes once for each connection which cluster was chosen, and what says so.
func (p *Provider) logChoice(ctx context.Context, client *kube.Client, chosen connection) {
	log := cluster.Log(ctx).V(cluster.Steps)
	if !log.Enabled() || !p.IsNews(choice{client, chosen.source}) {
		return
	}
	from := string(chosen.source) + " of the provider block"
	if chosen.source == fromResource {
		from = "cluster of the resource"
	}
	if variables := slices.Sorted(maps.Values(chosen.Variables)); len(variables) > 0 {
		from = strings.Join(slices.Compact(variables), ", ") + " of the environment"
	}
	fields := []any{
		"from", from, "server", p.serverOf(chosen), "credentials", client.Credentials(),
		"namespace", client.DefaultNamespace(), "namespace_from", namespaceSources[client.NamespaceSource()],
	}
	for name, value := range map[string]string{
		"config_path": chosen.Config.ConfigPath, "context": chosen.Config.Context,
	} {
		if value != "" {
			fields = append(fields, name, value)
		}
	}
	log.Info("Cluster", fields...)
}

// namespaceSources are the sources of a default namespace in words.
var namespaceSources = map[cluster.NamespaceSource]string{
	cluster.NamespaceConfigured: "the connection",
	cluster.NamespaceOfContext:  "the context",
	cluster.NamespaceAssumed:    "nothing names one",
}
