package reading

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

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
