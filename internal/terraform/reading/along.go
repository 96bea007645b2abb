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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// longest bounds what a plan reads for its warning.
const longest = 30 * time.Second

// ours begins the names of the field managers that resources of this provider have by default.
const ours = "k8sconnect"

// Along returns the warnings of a plan that deletes or replaces the object of a state, if the API server deletes others
// with it: a CustomResourceDefinition takes along the objects of its kind, a namespace its content, and a claim the
// data of its volume. isMember reports whether the same resource manages an object, too. A set refuses to delete a
// definition whose kind has objects outside the set, or objects that cannot be listed, unless its delete_protection is
// false. What leaves in the same run is not named: what the run plans to delete, and in a destroy the objects of this
// provider.
func Along(
	ctx context.Context, provider *providerdata.Provider, names diagnostics.Names, state *model.Model,
	isMember func(manifest.Identity) bool,
) diag.Diagnostics {
	id, diags := state.Object()
	isFirst := provider.Run().Rounds.Current() == run.FirstRound
	if diags.HasError() || !isFirst || model.Ending(state, provider).Releases() {
		return nil
	}
	if state.Propagation.ValueString() != string(cluster.Orphan) {
		diags.Append(orphaned(names, provider.Run().Objects.NoteEnd(id, state.UID()))...)
	}
	takesAll := id.IsDefinition() || id.IsNamespace()
	if !takesAll && !listing.HoldsData(id) && !listing.OwnsClaims(id) {
		return diags
	}
	api, status := provider.Look(ctx, state.Connection)
	if status != providerdata.Ready {
		return diags
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	d := departure{provider, names, state, id, isMember}
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
	state    *model.Model
	id       manifest.Identity
	isMember func(manifest.Identity) bool
}

// isOurs reports whether one of these managers is that of a resource of this provider.
func (d departure) isOurs(managers []string) bool {
	return slices.ContainsFunc(managers, func(name string) bool {
		return strings.HasPrefix(name, ours) || name == d.state.FieldManager.ValueString()
	})
}

// objects returns what is said of the objects that go with a definition or a namespace.
func (d departure) objects(ctx context.Context, api cluster.Interface) diag.Diagnostics {
	objects, isAll, err := listing.Along(ctx, api, d.id, d.state.Body().Manifest.Object, time.Now())
	refuses := d.names.IsSet() && d.id.IsDefinition() && d.state.Protection.IsNull()
	if err != nil {
		return diag.Diagnostics{sets.Unlisted(d.names, d.id, refuses, err)}
	}
	destroys := d.provider.Destroys()
	objects = slices.DeleteFunc(objects, func(object listing.Object) bool {
		return d.isMember(object.ID) || destroys && d.isOurs(object.Managers)
	})
	uids := make([]string, len(objects))
	for i, object := range objects {
		uids[i] = object.UID
	}
	leaves := d.provider.Run().AwaitLeaving(ctx, uids, destroys)
	var going []string
	others := 0
	for _, object := range objects {
		if leaves(object.UID) {
			continue
		}
		if going = append(going, object.Label); !d.isOurs(object.Managers) {
			others++
		}
	}
	switch {
	case len(going) == 0:
		return nil
	case refuses && others > 0:
		return diag.Diagnostics{sets.DefinitionInUse(d.names, d.id, going, others)}
	}
	return diag.Diagnostics{sets.Along(d.names, d.id, going, isAll)}
}

// data returns what is said of the volumes that go with the object, or with the claims that it owns.
func (d departure) data(ctx context.Context, api cluster.Interface) diag.Diagnostics {
	var lines []string
	isKnown := false
	volumes := listing.Volumes(ctx, api, d.claims(ctx, api))
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
	if listing.HoldsData(d.id) {
		live, err := cluster.Get(ctx, api, d.id)
		if err != nil || string(live.GetUID()) != d.state.UID() {
			return nil
		}
		return []*unstructured.Unstructured{live}
	}
	namespace := d.id.Namespace
	if d.id.IsNamespace() {
		namespace = d.id.Name
	} else if d.state.Propagation.ValueString() == string(cluster.Orphan) {
		return nil
	}
	at := run.At{API: api, Object: manifest.Identity{Kind: "PersistentVolumeClaim", Namespace: namespace}}
	all, _ := d.provider.Once(at, func() any {
		return listing.Claims(ctx, api, namespace)
	}).([]*unstructured.Unstructured)
	return slices.DeleteFunc(slices.Clone(all), func(claim *unstructured.Unstructured) bool {
		var managers []string
		for _, entry := range claim.GetManagedFields() {
			managers = append(managers, entry.Manager)
		}
		return d.isMember(manifest.IdentityOf(claim)) || d.provider.Destroys() && d.isOurs(managers) ||
			!d.id.IsNamespace() && !listing.HangsOn(claim, d.state.UID())
	})
}
