package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// replaceAlong plans a replacement if the object of the state goes with its namespace. It reports whether it does.
func replaceAlong(ctx context.Context, c *change) bool {
	if !goesAlong(ctx, c) {
		return false
	}
	c.diags.Append(changes.ReplacedAlong(c.resource.Names, c.object()))
	c.replace(diagnostics.WithNamespace, path.Root("id"), path.Root("object_ref"))
	return true
}

// goesAlong reports whether the API server deletes the object of a state with its namespace, which the run replaces. It
// sends a GET if the run replaces a namespace of that name, which may be one of another cluster. In the second plan
// only a set asks that: of a replacement, an apply plans the create half of any other resource.
func goesAlong(ctx context.Context, c *change) bool {
	provider := c.resource.provider
	if c.state == nil || c.completed.IsGone || c.resource.IsPart || provider.Destroys() ||
		!namespaceReplaced(provider.Run(), c.object()) || !c.plan.SameCluster(c.state.Connection) ||
		model.Ending(c.state, provider).Releases() {
		return false
	}
	api, status := provider.Look(ctx, c.plan.Connection)
	if status != providerdata.Ready {
		return false
	}
	if provider.Run().Rounds.Current() == run.SecondRound {
		live, err := api.Get(ctx, c.object())
		return c.resource.Names.IsSet() && (cluster.IsGone(err) || err == nil && string(live.GetUID()) != c.state.UID())
	}
	space, err := api.Get(ctx, namespaceOf(c.object()))
	return err == nil && provider.Run().Objects.Of(string(space.GetUID())).IsReplaced
}

// namespaceReplaced reports whether a run replaces a namespace with the name of that of an object.
func namespaceReplaced(current *run.Run, id manifest.Identity) bool {
	return id.Namespace != "" && current.Objects.OfName(run.At{Object: namespaceOf(id)}).IsReplaced
}

func namespaceOf(id manifest.Identity) manifest.Identity {
	return manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: id.Namespace}
}
