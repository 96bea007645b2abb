package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/helm"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Release is a release of Helm that a set takes over. All sets of a run share it.
type Release = helm.Release

// takes returns the release that the configuration takes over; false without one. A name that is not known is empty.
func (s *Set) takes() (helm.ID, bool) {
	if s == nil {
		return helm.ID{}, false
	}
	of := s.TakeOverRelease.Attributes()
	name, _ := of["name"].(types.String)
	namespace, _ := of["namespace"].(types.String)
	return helm.ID{Name: name.ValueString(), Namespace: namespace.ValueString()},
		!s.TakeOverRelease.IsNull()
}

// Release returns the release that a plan takes over; nil if the cluster does not have it, which is a warning for a new
// set. isKnown is false while a value that decides it is unknown. It sends a LIST of Secrets and one of ConfigMaps, and
// a GET of a release that it finds.
func (r Runner) Release(
	ctx context.Context, plan *Set, isNew bool,
) (found *Release, isKnown bool, diags diag.Diagnostics) {
	name, is := plan.takes()
	if !is {
		return nil, true, nil
	}
	if name.Name == "" || name.Namespace == "" {
		return nil, false, nil
	}
	api, status, diags := r.Provider.Connect(ctx, plan.Connection)
	if status != providerdata.Ready {
		return nil, status != providerdata.Deferred, diags
	}
	// Another set of the run may take it over, too, and have deleted its records by now.
	key := releaseKey{name, fmt.Sprint(plan.Cluster, plan.ClusterName)}
	known, _ := r.Provider.Once(key, func() any {
		release, faults := r.find(ctx, api, name)
		return looked{release, faults}
	}).(looked)
	if diags.Append(known.diags...); known.release == nil && isNew && !diags.HasError() {
		diags.Append(sets.NoRelease(name.Name, name.Namespace))
	}
	return known.release, true, diags
}

// releaseKey names a release on a cluster, and looked is what was found of it.
type releaseKey struct {
	helm.ID
	cluster string
}

type looked struct {
	release *Release
	diags   diag.Diagnostics
}

// find reads a release.
func (r Runner) find(ctx context.Context, api cluster.Interface, name helm.ID) (*Release, diag.Diagnostics) {
	found, err := helm.Find(ctx, api, name)
	if err == nil {
		return found, nil
	}
	if busy, is := errors.AsType[*helm.BusyError](err); is {
		return nil, diag.Diagnostics{sets.ReleaseBusy(name.Name, name.Namespace, busy.Status)}
	}
	if unreadable, is := errors.AsType[*helm.UnreadableError](err); is {
		return nil, diag.Diagnostics{sets.UnreadableRelease(r.Names, unreadable.Record, unreadable.Err)}
	}
	operation, id := diagnostics.Planned, manifest.Identity{}
	if failed, is := errors.AsType[*helm.RequestError](err); is {
		if id = failed.Objects; id.Name == "" {
			operation = diagnostics.Listed
		}
	}
	return nil, diag.Diagnostics{r.Provider.Explain(r.Names, operation, id, err)}
}

// announce returns the warning of a plan about its release, once Has was asked for each object. It does not list
// as left what a resource adopts that was planned before, in the API version that Helm has stored.
func (r Runner) announce(taken *Release, skipsHooks bool) diag.Diagnostic {
	about := sets.Release{
		Name: taken.Name, Namespace: taken.Namespace, Chart: taken.Chart, SkipsHooks: skipsHooks,
	}
	for _, id := range taken.Left() {
		if !r.Provider.Run().Objects.OfName(run.At{API: taken.API, Object: id}).HasCreator() {
			about.Left = append(about.Left, strings.TrimSuffix(id.String(), " ("+id.APIVersion+")"))
		}
	}
	for _, record := range taken.Records {
		about.Records = append(about.Records, record.GetKind()+" "+record.GetName())
	}
	slices.Sort(about.Left)
	return sets.ReleaseTakenOver(about)
}

// forget deletes what Helm has stored of a release, the newest revision last: if the provider is killed in between, the
// next run finds the rest.
func (o *Operation) forget(ctx context.Context, api cluster.Interface) (diags diag.Diagnostics) {
	if o.plan == nil || o.plan.Taken == nil {
		return nil
	}
	for _, record := range o.plan.Taken.Records {
		id := manifest.IdentityOf(record)
		if err := deleteAndAwait(ctx, api, id, string(record.GetUID())); err != nil {
			diags.Append(o.explain(diagnostics.Deleted, id, err))
			break
		}
	}
	return diags
}
