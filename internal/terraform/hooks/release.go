package hooks

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Release is a release of Helm that a set takes over.
type Release struct {
	chart.Installed
	name chart.Release
	api  cluster.Interface
	// records are what Helm has stored of it, without data, the oldest revision first.
	records []*unstructured.Unstructured
	// isLeft has the objects of the release. It is true for those that are not in the set.
	isLeft map[manifest.Identity]bool
}

// takes returns the release that the configuration takes over; false without one. A name that is not known is empty.
func (s *Set) takes() (chart.Release, bool) {
	if s == nil {
		return chart.Release{}, false
	}
	of := s.TakeOverRelease.Attributes()
	name, _ := of["name"].(types.String)
	namespace, _ := of["namespace"].(types.String)
	return chart.Release{Name: name.ValueString(), Namespace: namespace.ValueString()},
		!s.TakeOverRelease.IsNull()
}

// Release returns the release that a plan takes over; nil if there is none, which is a warning for a new set. isKnown
// is false while nobody can know that. It sends a LIST of Secrets and one of ConfigMaps, and a GET if there is one.
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
	if known.release != nil {
		own := *known.release
		own.isLeft = maps.Clone(own.isLeft)
		found = &own
	}
	return found, true, diags
}

// releaseKey names a release on a cluster, and looked is what was found of it.
type releaseKey struct {
	chart.Release
	cluster string
}

type looked struct {
	release *Release
	diags   diag.Diagnostics
}

// find reads a release.
func (r Runner) find(ctx context.Context, api cluster.Interface, name chart.Release) (*Release, diag.Diagnostics) {
	found := &Release{name: name, api: api, isLeft: map[manifest.Identity]bool{}}
	for _, kind := range []string{"Secret", "ConfigMap"} {
		query := cluster.ListQuery{APIVersion: "v1", Kind: kind, Namespace: name.Namespace, MetadataOnly: true,
			LabelSelector: labels.Set{"owner": "helm", "name": name.Name}.String()}
		listed, err := cluster.ListAll(ctx, api, query, cluster.Selection{})
		if err != nil {
			return nil, diag.Diagnostics{r.Provider.Explain(r.Names, diagnostics.Listed, query.Objects(), err)}
		}
		found.records = append(found.records, listed.Objects...)
	}
	if len(found.records) == 0 {
		return nil, nil
	}
	slices.SortFunc(found.records, func(a, b *unstructured.Unstructured) int {
		return cmp.Compare(revisionOf(a), revisionOf(b))
	})
	newest := found.records[len(found.records)-1]
	switch status := newest.GetLabels()["status"]; status {
	case "deployed", "failed", "superseded":
	case "uninstalled":
		return nil, nil
	default:
		return nil, diag.Diagnostics{sets.ReleaseBusy(name.Name, name.Namespace, status)}
	}
	id := manifest.IdentityOf(newest)
	full, err := api.Get(ctx, id)
	if err != nil {
		return nil, diag.Diagnostics{r.Provider.Explain(r.Names, diagnostics.Planned, id, err)}
	}
	if found.Installed, err = read(full); err != nil {
		return nil, diag.Diagnostics{sets.UnreadableRelease(r.Names, id, err)}
	}
	for _, object := range found.Objects {
		found.isLeft[found.locate(ctx, object, name.Namespace)] = true
	}
	return found, nil
}

// locate returns an object with its namespace: a given one if it names none. The group stands for the API version.
func (r *Release) locate(ctx context.Context, id manifest.Identity, namespace string) manifest.Identity {
	scope, err := r.api.Scope(ctx, id.APIVersion, id.Kind)
	switch {
	case err != nil || scope == cluster.ScopeCluster: // A kind that is not served yet has no objects.
		id.Namespace = ""
	case id.Namespace == "":
		id.Namespace = namespace
	}
	id.APIVersion = id.Group()
	return id
}

func revisionOf(record *unstructured.Unstructured) int {
	revision, _ := strconv.Atoi(record.GetLabels()["version"])
	return revision
}

// read reads what Helm has stored in a Secret or a ConfigMap.
func read(record *unstructured.Unstructured) (chart.Installed, error) {
	text, _, err := unstructured.NestedString(record.Object, "data", "release")
	if err == nil && record.GetKind() == "Secret" {
		var data []byte
		data, err = base64.StdEncoding.DecodeString(text)
		text = string(data)
	}
	if err != nil {
		return chart.Installed{}, err
	}
	return chart.ReadInstalled(text)
}

// Has reports whether an object of the set is one of the release, in any version of its kind.
func (r *Release) Has(ctx context.Context, id manifest.Identity) bool {
	if r == nil {
		return false
	}
	at := r.locate(ctx, id, r.api.DefaultNamespace())
	_, is := r.isLeft[at]
	if is {
		r.isLeft[at] = false
	}
	return is
}

// announce returns the warning of a plan about its release, once Has was asked for each object.
func (r *Release) announce(skipsHooks bool) diag.Diagnostic {
	var left, records []string
	for id, isLeft := range r.isLeft {
		if isLeft {
			left = append(left, strings.TrimSuffix(id.String(), " ("+id.APIVersion+")"))
		}
	}
	for _, record := range r.records {
		records = append(records, record.GetKind()+" "+record.GetName())
	}
	slices.Sort(left)
	return sets.ReleaseTakenOver(sets.Release{
		Name: r.name.Name, Namespace: r.name.Namespace, Chart: r.Chart, Records: records, Left: left,
		SkipsHooks: skipsHooks,
	})
}

// forget deletes what Helm has stored of a release, the newest revision last: if the provider is killed in between, the
// next run finds the rest.
func (o *Operation) forget(ctx context.Context, api cluster.Interface) (diags diag.Diagnostics) {
	if o.plan == nil || o.plan.Taken == nil {
		return nil
	}
	for _, record := range o.plan.Taken.records {
		id := manifest.IdentityOf(record)
		if err := deleteAndAwait(ctx, api, id, string(record.GetUID())); err != nil {
			diags.Append(o.explain(diagnostics.Deleted, id, err))
			break
		}
	}
	return diags
}
