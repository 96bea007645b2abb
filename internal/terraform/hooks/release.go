package hooks

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"
	"strconv"

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
	// records are what Helm has stored of it, without data, the oldest revision first.
	records []*unstructured.Unstructured
	// left are those of its objects that the set does not have.
	left map[manifest.Identity]bool
}

// takes returns the release that the configuration takes over; false without one, and while it is not known.
func (s *Set) takes() (chart.Release, bool) {
	if s == nil {
		return chart.Release{}, false
	}
	of := s.TakeOverRelease.Attributes()
	name, _ := of["name"].(types.String)
	namespace, _ := of["namespace"].(types.String)
	return chart.Release{Name: name.ValueString(), Namespace: namespace.ValueString()},
		name.ValueString() != "" && namespace.ValueString() != ""
}

// Release returns the release that a plan takes over; nil if there is none, which is a warning for a new set. It sends
// a LIST of Secrets and one of ConfigMaps, and a GET if there is one.
func (r Runner) Release(ctx context.Context, plan *Set, isNew bool) (*Release, diag.Diagnostics) {
	name, is := plan.takes()
	if !is {
		return nil, nil
	}
	api, status, diags := r.Provider.Connect(ctx, plan.Connection)
	if status != providerdata.Ready {
		return nil, diags
	}
	found, faults := r.find(ctx, api, name)
	if diags.Append(faults...); found == nil && isNew && !diags.HasError() {
		diags.Append(sets.NoRelease(name.Name, name.Namespace))
	}
	return found, diags
}

// find reads a release.
func (r Runner) find(ctx context.Context, api cluster.Interface, name chart.Release) (*Release, diag.Diagnostics) {
	found := &Release{name: name, left: map[manifest.Identity]bool{}}
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
		found.left[object] = true
	}
	return found, nil
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

// Has reports whether an object of the set is one of the release.
func (r *Release) Has(id manifest.Identity) bool {
	if r == nil {
		return false
	}
	at := slices.IndexFunc(r.Objects, func(stored manifest.Identity) bool { return chart.IsStored(stored, id) })
	if at >= 0 {
		delete(r.left, r.Objects[at])
	}
	return at >= 0
}

// announce returns the warning of a plan about its release, once Has was asked for each object.
func (r *Release) announce(skipsHooks bool) diag.Diagnostic {
	var left, records []string
	for id := range r.left {
		left = append(left, id.String())
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
