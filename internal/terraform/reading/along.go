package reading

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	// A plan without a refresh may be any. Only a set plans an end again in an apply, and none that is requested.
	round := provider.Run().Rounds.Current()
	isFirst := round == run.FirstRound || round == run.UnknownRound && (end.IsRequested || !names.IsSet())
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
	objects, problem, err := listing.Along(bounded, api, d.id, d.State.Body().Manifest.Object, time.Now())
	cancel()
	mayRefuse := d.State.Protection.IsNull()
	guards := mayRefuse && d.names.IsSet() && d.id.IsDefinition()
	unlisted := func(why error) diag.Diagnostics {
		return diag.Diagnostics{sets.Unlisted(d.names, d.id, guards || mayRefuse && d.IsSilent, why)}
	}
	if err != nil {
		return unlisted(err)
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
	case len(going) == 0 && problem != nil:
		return unlisted(problem)
	case len(going) == 0:
		return nil
	case guards && others > 0:
		return diag.Diagnostics{sets.InUse(d.names, d.id, going, others)}
	case mayRefuse && d.IsSilent:
		return diag.Diagnostics{sets.InUse(d.names, d.id, going, 0)}
	}
	return append(diag.Diagnostics{sets.Along(d.names, d.id, going, problem == nil)}, parts...)
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
	if lost := lossOf(ctx, api, d.claims(ctx, api)); len(lost.Volumes) > 0 {
		return diag.Diagnostics{sets.Data(d.names, d.id, lost)}
	}
	return nil
}

// lossOf returns what is said of the volumes whose data is deleted with some claims.
func lossOf(ctx context.Context, api cluster.Interface, claims []*unstructured.Unstructured) (lost sets.Loss) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	for _, v := range listing.Volumes(ctx, api, claims) {
		line := fmt.Sprintf("%s/%s: %s %s", v.Claim.Namespace, v.Claim.Name, v.ID.Kind, v.ID.Name)
		if lost.IsKnown = lost.IsKnown || v.IsKnown; !v.IsKnown {
			line += " (policy not readable)"
		}
		name := v.ID.Name
		if lost.Volumes = append(lost.Volumes, line); len(lost.Volumes) > 1 {
			name = "NAME"
		}
		lost.Keep = fmt.Sprintf(`kubectl patch %s %s --type=merge -p '{"%s":{"%s":"Retain"}}'`,
			strings.ToLower(v.ID.Kind), name, v.Policy[0], v.Policy[1])
	}
	return lost
}

// Scaled returns the warning of a plan that makes Kubernetes delete claims because a StatefulSet gets fewer replicas.
// becomes is the object as the apply leaves it; nil if that is not known.
func Scaled(
	ctx context.Context, provider *providerdata.Provider, names diagnostics.Names, applied *model.Model,
	becomes map[string]any,
) diag.Diagnostics {
	after := &unstructured.Unstructured{Object: becomes}
	if provider.Run().Rounds.Applies() || !listing.DropsClaims(after) {
		return nil
	}
	api, status := provider.Look(ctx, applied.Connection)
	if status != providerdata.Ready {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	id := manifest.IdentityOf(after)
	live, err := cluster.Get(bounded, api, id)
	if err != nil {
		return nil
	}
	goes := listing.LostPods(live, after)
	if goes == nil {
		return nil
	}
	lost := lossOf(ctx, api, slices.DeleteFunc(claimsIn(bounded, provider, api, id.Namespace),
		func(claim *unstructured.Unstructured) bool { return !goes(claim) }))
	if lost.IsScaled = true; len(lost.Volumes) == 0 {
		return nil
	}
	return diag.Diagnostics{sets.Data(names, id, lost)}
}

// claimsIn returns the PersistentVolumeClaims of a namespace, which are listed once in a run.
func claimsIn(
	ctx context.Context, provider *providerdata.Provider, api cluster.Interface, namespace string,
) []*unstructured.Unstructured {
	at := run.At{API: api, Object: manifest.Identity{Kind: "PersistentVolumeClaim", Namespace: namespace}}
	all, _ := provider.Once(at, func() any {
		return listing.Claims(ctx, api, namespace)
	}).([]*unstructured.Unstructured)
	return slices.Clone(all)
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
	all := claimsIn(bounded, d.provider, api, namespace)
	claims := slices.DeleteFunc(all, func(claim *unstructured.Unstructured) bool {
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

// Unowned returns the warning of a plan that gives an object owners that do not exist. state is nil for a new object.
func Unowned(
	ctx context.Context, provider *providerdata.Provider, names diagnostics.Names, plan, state *model.Model,
) diag.Diagnostics {
	owners := ownersOf(plan)
	isPlan := !provider.Destroys() && !provider.Run().Rounds.Applies()
	if !isPlan || len(owners) == 0 || state != nil && reflect.DeepEqual(owners, ownersOf(state)) {
		return nil
	}
	id, diags := plan.Object()
	if diags.HasError() { // A replacement does not know its id.
		id = plan.Body().Manifest.Identity
	}
	api, status := provider.Look(ctx, plan.Connection)
	if status != providerdata.Ready {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	var missing []string
	for _, owner := range owners {
		at := ownerAt{api, manifest.Identity{
			APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: id.Namespace, Name: owner.Name,
		}}
		uid, _ := provider.Once(at, func() any { return at.uid(ctx) }).(string)
		if uid != string(owner.UID) && uid != unreadable {
			missing = append(missing, fmt.Sprintf("%s %s, uid %s", owner.Kind, owner.Name, owner.UID))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return diag.Diagnostics{sets.Unowned(names, id, missing)}
}

// ownersOf returns the owners that a manifest declares; nil if one of them is not known yet.
func ownersOf(m *model.Model) []metav1.OwnerReference {
	body := m.Body()
	for _, unknown := range body.Undecided {
		if strings.HasPrefix(unknown.At.String(), ".metadata.ownerReferences") {
			return nil
		}
	}
	object := body.Manifest.Object
	if body.Patch != nil {
		object = body.Patch.Values()
	}
	owners := (&unstructured.Unstructured{Object: object}).GetOwnerReferences()
	return slices.DeleteFunc(owners, func(owner metav1.OwnerReference) bool { return owner.UID == "" })
}

// ownerAt is the place of an owner, which is read once in a run.
type ownerAt struct {
	api    cluster.Interface
	object manifest.Identity
}

// unreadable stands for the uid of an object that cannot be read.
const unreadable = "unreadable"

// uid returns the uid of the object; "" if it does not exist, and unreadable if that is not known.
func (o ownerAt) uid(ctx context.Context) string {
	kind, err := o.api.Kind(ctx, o.object.APIVersion, o.object.Kind)
	if err != nil || kind.Scope == cluster.ScopeNamespaced && o.object.Namespace == "" {
		return unreadable
	}
	if kind.Scope == cluster.ScopeCluster {
		o.object.Namespace = ""
	}
	live, err := o.api.Get(ctx, o.object)
	switch {
	case cluster.ReasonOf(err) == cluster.ReasonNotFound:
		return ""
	case err != nil:
		return unreadable
	}
	return string(live.GetUID())
}
