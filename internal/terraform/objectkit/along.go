package objectkit

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// containers returns what takes an object along when it is deleted: its namespace, and the definition of its kind.
func containers(ctx context.Context, api cluster.Interface, id manifest.Identity) (all []manifest.Identity) {
	if id.Namespace != "" {
		all = append(all, manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: id.Namespace})
	}
	if manifest.IsBuiltinGroup(id.Group()) {
		return all
	}
	if kind, err := api.Kind(ctx, id.APIVersion, id.Kind); err == nil {
		all = append(all, manifest.Identity{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition",
			Name: kind.Plural + "." + id.Group(),
		})
	}
	return all
}

// replacedAround returns those of an object's containers of whose name the run replaces one, on any cluster.
func replacedAround(
	ctx context.Context, api cluster.Interface, current *run.Run, id manifest.Identity,
) []manifest.Identity {
	return slices.DeleteFunc(containers(ctx, api, id), func(with manifest.Identity) bool {
		return !current.Objects.OfName(run.At{Object: with}).IsReplaced
	})
}

// containerOf returns the first of an object's containers; zero without one.
func containerOf(containers []manifest.Identity) (first manifest.Identity) {
	if len(containers) > 0 {
		first = containers[0]
	}
	return first
}

// around returns the container of an object that the run is to replace, and its uid. It sends a GET for each of whose
// name the run replaces one, which may be on another cluster, or replaced by now.
func around(
	ctx context.Context, api cluster.Interface, current *run.Run, id manifest.Identity,
) (with manifest.Identity, uid string) {
	for _, with := range replacedAround(ctx, api, current, id) {
		live, err := api.Get(ctx, with)
		if err == nil && current.Objects.Of(string(live.GetUID())).IsReplaced {
			return with, string(live.GetUID())
		}
	}
	return manifest.Identity{}, ""
}

// noteAlong notes in an apply the container of an object that the run is to replace, by the uid that the refresh or the
// plan has noted.
func noteAlong(ctx context.Context, api cluster.Interface, current *run.Run, id manifest.Identity, uid string) {
	if uid == "" {
		return
	}
	for _, with := range containers(ctx, api, id) {
		if live, err := api.Get(ctx, with); err == nil && string(live.GetUID()) == uid {
			_, _ = current.Objects.NoteReplaced(with, uid) // The plan has reported it.
		}
	}
}

// replaceAlong plans a replacement if the object of the state goes with its namespace or its definition. It reports
// whether it does.
func replaceAlong(ctx context.Context, c *change) bool {
	with, goes := goesAlong(ctx, c)
	if !goes || c.diags.HasError() {
		return goes
	}
	if with.Name != "" {
		c.diags.Append(changes.ReplacedAlong(c.resource.Names, c.object(), with))
	}
	c.replace(diagnostics.WithContainer, path.Root("id"), path.Root("object_ref"))
	return true
}

// goesAlong reports whether the API server deletes the object of a state with a container that the run replaces. In an
// apply only a set asks that: of a replacement, an apply plans the create half of any other resource. Both plans of a
// set go by what the refresh has noted: a resource is read after those on which it depends are planned.
func goesAlong(ctx context.Context, c *change) (with manifest.Identity, goes bool) {
	if c.state == nil {
		return with, false
	}
	noted, isSet, provider := c.along, c.resource.Names.IsSet(), c.resource.provider
	c.along = ""
	if c.completed.IsGone || c.resource.IsPart || provider.Destroys() || !c.plan.SameCluster(c.state.Connection) ||
		model.Ending(c.state, provider).Releases() {
		return with, false
	}
	current := provider.Run()
	api, status := provider.Look(ctx, c.plan.Connection)
	switch applies := current.Rounds.Applies(); {
	case status != providerdata.Ready, applies && !isSet:
		return with, false
	case applies && noted != "":
		c.along = noted
		noteAlong(ctx, api, current, c.object(), noted)
		if err := awaitReplaced(ctx, c, api, c.object()); err != nil {
			c.refuse(ctx, c.object(), err)
		}
		return with, true
	case applies: // The first plan has not refreshed, or has noted nothing.
		if with = containerOf(replacedAround(ctx, api, current, c.object())); with.Name == "" {
			return with, false
		}
		live, err := api.Get(ctx, c.object())
		return with, cluster.IsGone(err) || err == nil && string(live.GetUID()) != c.state.UID()
	}
	if current.Objects.Of(noted).IsReplaced {
		c.along = noted
		return containerOf(replacedAround(ctx, api, current, c.object())), true
	} else if isSet && current.Rounds.Current() == run.FirstRound {
		return with, false
	}
	with, c.along = around(ctx, api, current, c.object())
	return with, c.along != ""
}

// isRescoped reports whether the run is to replace the definition of an object's kind, which may get namespaces then,
// or lose them.
func isRescoped(ctx context.Context, c *change, id manifest.Identity) bool {
	current := c.work.Run
	return current.Rounds.Current() != run.SecondRound &&
		slices.ContainsFunc(replacedAround(ctx, c.work.API, current, id), manifest.Identity.IsDefinition)
}

// awaitReplaced waits in an apply until the run has replaced the containers of an object that it is to replace.
func awaitReplaced(ctx context.Context, c *change, api cluster.Interface, id manifest.Identity) error {
	current := c.resource.provider.Run()
	if !current.Rounds.Applies() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return run.AwaitSettled(ctx, &current.Waits, func() error {
		at, err := cluster.Locate(ctx, api, id)
		if err != nil {
			at.Namespace = cmp.Or(id.Namespace, api.DefaultNamespace())
		}
		with, uid := around(ctx, api, current, at)
		if uid == "" {
			return nil
		}
		return &cluster.Error{
			Reason: cluster.ReasonNamespaceNotFound, Object: id,
			Message: "this run is to replace " + with.Kind + " " + with.Name + ", and has not done it yet",
		}
	})
}
