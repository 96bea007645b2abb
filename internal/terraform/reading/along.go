package reading

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// longest bounds each of the reads of a plan for its warnings.
const longest = 30 * time.Second

// Along returns the warnings of a plan that deletes or replaces the object of a state, if the API server deletes others
// with it: a CustomResourceDefinition takes along the objects of its kind, a namespace its content, and a claim the
// data of its volume. isMember reports whether the same resource manages an object, too. What the same run deletes or
// replaces by itself is not named. Unless delete_protection is false, two plans are refused: that of a set that deletes
// a definition whose kind has objects of which no resource of this run is known, or that cannot be listed; and that of
// -replace, whose warnings Terraform drops.
func Along(
	ctx context.Context, provider *providerdata.Provider, names diagnostics.Names, end model.End,
	isMember func(manifest.Identity) bool,
) diag.Diagnostics {
	state := end.State
	id, diags := state.Object()
	// A plan without a refresh may be any. Only that of an apply never replaces on request what still exists.
	round := provider.Run().Rounds.Current()
	isFirst := round == run.FirstRound || end.IsRequested && round == run.UnknownRound
	if diags.HasError() || !isFirst || model.Ending(state, provider).Releases() {
		return nil
	}
	if state.Propagation.ValueString() != string(cluster.Orphan) {
		diags.Append(orphaned(names, provider.Run().Objects.NoteEnd(id, state.UID()))...)
	}
	takesAll := id.IsDefinition() || id.IsNamespace()
	if !takesAll && (end.IsSilent || !listing.HoldsData(id) && !listing.OwnsClaims(id)) {
		return diags
	}
	api, status := provider.Look(ctx, state.Connection)
	if status != providerdata.Ready {
		return diags
	}
	d := departure{provider, names, end, id, isMember}
	if takesAll {
		diags.Append(d.objects(ctx, api)...)
	}
	if !diags.HasError() && !id.IsDefinition() {
		diags.Append(d.data(ctx, api)...)
	}
	return diags
}

// Staying returns the warning of a plan that keeps the object of a state, if the run deletes or replaces its owners.
func Staying(provider *providerdata.Provider, names diagnostics.Names, state *model.Model) diag.Diagnostics {
	id, diags := state.Object()
	if diags.HasError() || provider.Destroys() || provider.Run().Rounds.Current() != run.FirstRound {
		return nil
	}
	return orphaned(names, provider.Run().Objects.NoteStay(id, state.UID()))
}

func orphaned(names diagnostics.Names, all []run.Orphan) (diags diag.Diagnostics) {
	for _, one := range all {
		diags.Append(sets.Orphaned(names, one.Object, one.Owner))
	}
	return diags
}

// departure is a plan that deletes or replaces the object of a state.
type departure struct {
	provider *providerdata.Provider
	names    diagnostics.Names
	model.End
	id       manifest.Identity
	isMember func(manifest.Identity) bool
}

// leaves returns whether the run deletes or replaces an object with one of these uids by itself.
func (d departure) leaves(ctx context.Context, uids []string) func(uid string) bool {
	return d.provider.Run().AwaitLeaving(ctx, uids, d.provider.Destroys())
}

// objects returns what is said of the objects that go with a definition or a namespace.
func (d departure) objects(ctx context.Context, api cluster.Interface) diag.Diagnostics {
	bounded, cancel := context.WithTimeout(ctx, longest)
	objects, isAll, err := listing.Along(bounded, api, d.id, d.State.Body().Manifest.Object, time.Now())
	cancel()
	mayRefuse := d.State.Protection.IsNull()
	guards := mayRefuse && d.names.IsSet() && d.id.IsDefinition()
	if err != nil {
		return diag.Diagnostics{sets.Unlisted(d.names, d.id, guards || mayRefuse && d.IsSilent, err)}
	}
	objects = slices.DeleteFunc(objects, func(object listing.Object) bool { return d.isMember(object.ID) })
	uids := make([]string, len(objects))
	for i, object := range objects {
		uids[i] = object.UID
	}
	leaves := d.leaves(ctx, uids)
	var going []string
	var parts diag.Diagnostics
	others := 0
	for _, object := range objects {
		if leaves(object.UID) {
			continue
		}
		if going = append(going, object.Label); !d.provider.Run().Objects.Of(object.UID).IsHeld() {
			others++
		}
		parts.Append(d.parts(object)...)
	}
	switch {
	case len(going) == 0:
		return nil
	case guards && others > 0:
		return diag.Diagnostics{sets.InUse(d.names, d.id, going, others)}
	case mayRefuse && d.IsSilent:
		return diag.Diagnostics{sets.InUse(d.names, d.id, going, 0)}
	}
	return append(diag.Diagnostics{sets.Along(d.names, d.id, going, isAll)}, parts...)
}

// parts returns what is said of an object that goes along and of which resources of the run that stay apply parts.
func (d departure) parts(object listing.Object) diag.Diagnostics {
	if d.provider.Destroys() {
		return nil
	}
	parts, err := run.NoteAlong(&d.provider.Run().Objects, object.ID, object.UID)
	switch {
	case err != nil:
		return diag.Diagnostics{d.names.Error(diagnostics.Planned, object.ID, err)}
	case len(parts) > 0:
		return diag.Diagnostics{changes.PartsLeave(d.names, object.ID, parts...)}
	}
	return nil
}

// data returns what is said of the volumes that go with the object, or with the claims that it owns.
func (d departure) data(ctx context.Context, api cluster.Interface) diag.Diagnostics {
	var lines []string
	isKnown := false
	claims := d.claims(ctx, api)
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	volumes := listing.Volumes(ctx, api, claims)
	for _, v := range volumes {
		line := fmt.Sprintf("%s/%s: %s %s", v.Claim.Namespace, v.Claim.Name, v.ID.Kind, v.ID.Name)
		if isKnown = isKnown || v.IsKnown; !v.IsKnown {
			line += " (policy not readable)"
		}
		lines = append(lines, line)
	}
	if len(volumes) == 0 {
		return nil
	}
	first := volumes[0]
	name := first.ID.Name
	if len(volumes) > 1 {
		name = "NAME"
	}
	keep := fmt.Sprintf(`kubectl patch %s %s --type=merge -p '{"%s":{"%s":"Retain"}}'`,
		strings.ToLower(first.ID.Kind), name, first.Policy[0], first.Policy[1])
	return diag.Diagnostics{sets.Data(d.names, d.id, lines, isKnown, keep)}
}

// claims returns the object if it is a claim, and the claims that are deleted with it.
func (d departure) claims(ctx context.Context, api cluster.Interface) []*unstructured.Unstructured {
	bounded, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if listing.HoldsData(d.id) {
		live, err := cluster.Get(bounded, api, d.id)
		if err != nil || string(live.GetUID()) != d.State.UID() {
			return nil
		}
		return []*unstructured.Unstructured{live}
	}
	namespace := d.id.Namespace
	if d.id.IsNamespace() {
		namespace = d.id.Name
	} else if d.State.Propagation.ValueString() == string(cluster.Orphan) {
		return nil
	}
	at := run.At{API: api, Object: manifest.Identity{Kind: "PersistentVolumeClaim", Namespace: namespace}}
	all, _ := d.provider.Once(at, func() any {
		return listing.Claims(bounded, api, namespace)
	}).([]*unstructured.Unstructured)
	claims := slices.DeleteFunc(slices.Clone(all), func(claim *unstructured.Unstructured) bool {
		return d.isMember(manifest.IdentityOf(claim)) || !d.id.IsNamespace() && !listing.HangsOn(claim, d.State.UID())
	})
	var awaited []string // Claims with an owner are rarely those of a resource.
	for _, claim := range claims {
		if d.id.IsNamespace() {
			awaited = append(awaited, string(claim.GetUID()))
		}
	}
	leaves := d.leaves(ctx, awaited)
	return slices.DeleteFunc(claims, func(claim *unstructured.Unstructured) bool {
		return leaves(string(claim.GetUID()))
	})
}
