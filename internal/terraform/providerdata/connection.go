package providerdata

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// source is the origin of a connection: one of the constants, or an element of clusters, as the configuration writes
// it.
type source string

const (
	fromResource source = ""
	fromCluster  source = attributes.AttributeName
)

// connection is one connection of the configuration. The environment can describe or complete the provider's
// connection.
type connection struct {
	connect.Inherited
	state  attributes.State
	source source
	// acceptsNew is true if it may lead to another cluster than that of the state.
	acceptsNew bool
}

func connectionOf(ctx context.Context, value types.Object, from source) (connection, diag.Diagnostics) {
	cfg, state, diags := attributes.Decode(ctx, value)
	return connection{Inherited: connect.Inherited{Config: cfg}, state: state, source: from,
		acceptsNew: attributes.AcceptsNew(value)}, diags
}

// in returns the connection completed from the environment. If the configuration sets none, the environment describes
// it.
func (c connection) in(getenv func(string) string) connection {
	switch c.state {
	case attributes.Known:
		c.Inherited = connect.CompletedFromEnvironment(c.Config, getenv)
	case attributes.Absent:
		if described, found := connect.FromEnvironment(getenv); found {
			c.Inherited, c.state = described, attributes.Known
		}
	case attributes.Unknown:
	}
	return c
}

// name returns the name by which the user set an attribute of the connection: a variable of the environment, or the
// attribute.
func (c connection) name(attribute string) string {
	if variable, found := c.Variables[attribute]; found {
		return variable
	}
	return string(c.source) + "." + attribute
}

// clusters are the connections in clusters of the provider, by name.
type clusters struct {
	named map[string]connection
	// unknown is true if not even their names are known yet.
	unknown bool
}

func clustersOf(ctx context.Context, value types.Map) (clusters, diag.Diagnostics) {
	all := clusters{named: map[string]connection{}, unknown: value.IsUnknown()}
	var diags diag.Diagnostics
	for name, element := range value.Elements() {
		object, _ := element.(types.Object)
		named, faults := connectionOf(ctx, object, source(fmt.Sprintf("%s[%q]", attributes.ClustersAttribute, name)))
		diags.Append(faults...)
		all.named[name] = named
	}
	return all, diags
}

// choose returns the connection of a block of the configuration. Its state is Absent if nothing describes it.
func (p *Provider) choose(ctx context.Context, of attributes.Connection) (connection, diag.Diagnostics) {
	switch {
	case of.IsOwn():
		return connectionOf(ctx, of.Cluster, fromResource)
	case of.ClusterName.IsNull():
		return p.connection, nil
	case of.ClusterName.IsUnknown():
		return connection{state: attributes.Unknown}, nil
	}
	chosen, has := p.clusters.named[of.ClusterName.ValueString()]
	switch {
	case has && chosen.state != attributes.Absent:
		return chosen, nil
	case p.clusters.unknown:
		return connection{state: attributes.Unknown}, nil
	}
	return connection{state: attributes.Absent}, nil
}

// IsDeferred reports whether [Provider.Connect] would return Deferred. It does not report invalid connections.
func (p *Provider) IsDeferred(ctx context.Context, of attributes.Connection) bool {
	chosen, diags := p.choose(ctx, of)
	return !diags.HasError() && chosen.state == attributes.Unknown
}

// missingCluster is the key of a name about which a full error was already printed.
type missingCluster struct{ name string }

// absent returns what [Provider.Connect] returns for a block without a connection.
func (p *Provider) absent(of attributes.Connection) (cluster.Interface, Status, diag.Diagnostics) {
	if of.ClusterName.IsNull() {
		return nil, Missing, diag.Diagnostics{invalid.NoCluster(p.hint)}
	}
	name := of.ClusterName.ValueString()
	if !p.IsNews(missingCluster{name}) {
		return nil, Invalid, diag.Diagnostics{invalid.AlsoNoSuchCluster(name)}
	}
	names := slices.Sorted(maps.Keys(p.clusters.named))
	names = slices.DeleteFunc(names, func(name string) bool {
		return p.clusters.named[name].state == attributes.Absent
	})
	return nil, Invalid, diag.Diagnostics{invalid.NoSuchCluster(name, names)}
}

// SameServer reports whether the connections of two blocks have the same URL. It sends no request. It returns false if
// it cannot determine one of the URLs.
func (p *Provider) SameServer(ctx context.Context, a, b attributes.Connection) bool {
	first, second := p.server(ctx, a), p.server(ctx, b)
	return first != "" && first == second
}

// server returns the URL of a block's connection; "" if it cannot be determined.
func (p *Provider) server(ctx context.Context, of attributes.Connection) string {
	chosen, diags := p.choose(ctx, of)
	if diags.HasError() || chosen.state != attributes.Known {
		return ""
	}
	return p.serverOf(chosen)
}

// serverOf returns the URL of a connection; "" if it cannot be determined.
func (p *Provider) serverOf(chosen connection) string {
	server, err := chosen.Config.Server()
	if err != nil {
		return ""
	}
	return server
}

// CanRecognize reports whether the cluster's uid can be read, or the connection accepts a new cluster anyway. It sends
// the same request as [Provider.Recognize].
func (p *Provider) CanRecognize(ctx context.Context, of attributes.Connection, api cluster.Interface) bool {
	if chosen, _ := p.choose(ctx, of); chosen.acceptsNew {
		return true
	}
	uid, err := api.UID(ctx, manifest.Identity{})
	return err == nil && uid != ""
}

// Recognize returns the uid of a block's cluster, for private state; "" if the uid cannot be read. If remembered is the
// uid of another cluster, and the connection does not accept a new one, the error is a *cluster.OtherClusterError.
// Other errors name object, the object of the calling operation. Recognize sends one GET for each cluster and process.
func (p *Provider) Recognize(
	ctx context.Context, of attributes.Connection, api cluster.Interface, object manifest.Identity, remembered string,
) (string, error) {
	uid, err := cluster.Recognize(ctx, api, object, remembered)
	other, is := errors.AsType[*cluster.OtherClusterError](err)
	if !is {
		return uid, err
	}
	if chosen, _ := p.choose(ctx, of); chosen.acceptsNew {
		return uid, nil
	}
	other.Server = p.server(ctx, of)
	return uid, other
}

// choice is the key of a connection that the log has.
type choice struct {
	client *kube.Client
	source source
}

// logChoice logs once for each connection which cluster was chosen, and the setting that names it.
func (p *Provider) logChoice(ctx context.Context, client *kube.Client, chosen connection) {
	log := cluster.Log(ctx).V(cluster.Steps)
	if !log.Enabled() || !p.IsNews(choice{client, chosen.source}) {
		return
	}
	from := string(chosen.source) + " of the provider block"
	if chosen.source == fromResource {
		from = "cluster of the resource"
	}
	if len(chosen.Set) > 0 {
		from = strings.Join(chosen.Set, ", ") + " of the environment"
	}
	line := fmt.Sprintf("Cluster %s with %s, from %s", p.serverOf(chosen), client.Connection().Credentials, from)
	if chosen.Config.ConfigPath != "" {
		line += ", config_path " + chosen.Config.ConfigPath
	}
	if chosen.Config.Context != "" {
		line += ", context " + chosen.Config.Context
	}
	log.Info(fmt.Sprintf("%s, namespace %s (%s)", line, client.DefaultNamespace(),
		namespaceSources[client.NamespaceSource()]))
}

// namespaceSources are the sources of a default namespace in words.
var namespaceSources = map[cluster.NamespaceSource]string{
	cluster.NamespaceConfigured: "the connection",
	cluster.NamespaceOfContext:  "the context",
	cluster.NamespaceAssumed:    "nothing names one",
}

// exposed warns of a connection that other parties could read, once in a run.
func (p *Provider) exposed(client *kube.Client, of connection) diag.Diagnostics {
	var diags diag.Diagnostics
	if !p.IsNews(client) {
		return nil
	}
	for _, e := range client.Connection().SecurityWarnings {
		if of.source != fromResource {
			e = of.Variables.Rename(e)
			diags.Append(invalid.ExposedProvider(of.name(e.Attribute), e))
			continue
		}
		diags.Append(invalid.Exposed(path.Root(attributes.AttributeName), e))
	}
	return diags
}

// inherited returns the errors of a resource that uses an invalid connection of the provider.
func (c connection) inherited(problems []connect.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, problem := range problems {
		problem = c.Variables.Rename(problem)
		attribute := problem.Attribute
		if attribute != "" {
			attribute = c.name(attribute)
		}
		diags.Append(invalid.InheritedConnection(attribute, problem))
	}
	return diags
}

// unreachable is the key of a server about which a full error was already printed.
type unreachable struct{ server string }

// otherCluster is the key of a cluster about which a full error was already printed, because it is not that of the
// state.
type otherCluster struct{ uid string }

// Explain returns the diagnostic for a failed operation on an object. If a server does not answer, or is the wrong
// cluster, the operations on all its objects fail: the first error of a run explains that in full, and all later ones
// in one line.
func (p *Provider) Explain(
	words diagnostics.Names, operation diagnostics.Operation, id manifest.Identity, err error,
) diag.Diagnostic {
	// These two errors are about this object: it may have been created, or its create has waited for something.
	_, isUnclear := errors.AsType[*cluster.OutcomeUnknownError](err)
	_, isMissing := errors.AsType[*run.StillMissingError](err)
	silent := cluster.ReasonOf(err) == cluster.ReasonUnreachable && !isUnclear && !isMissing
	failure, is := errors.AsType[*cluster.UnreachableError](err)
	if silent && is && !p.IsNews(unreachable{failure.Server}) {
		return diagnostics.AlsoUnreachable(operation, id, failure)
	}
	if other, is := errors.AsType[*cluster.OtherClusterError](err); is && !p.IsNews(otherCluster{other.Found}) {
		return diagnostics.AlsoElsewhere(operation, id, other)
	}
	if !p.withoutDryRun && p.run.Rounds.Current() != run.SecondRound {
		words.PlanWithoutDryRun = "plan_without_dry_run"
	}
	return words.Error(operation, id, err)
}
