package reading

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

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

// Along returns the warning of a plan that deletes or replaces the object of a state, if the API server deletes others
// with it: a CustomResourceDefinition takes the objects of its kind along, and a namespace what is in it. isMember
// reports whether the same resource has an object, too. A set refuses to delete a definition with objects of others,
// unless its delete_protection is false. A destroy does not name the objects of this provider: they may leave in the
// same run. What cannot be listed is not named.
func Along(
	ctx context.Context, provider *providerdata.Provider, names diagnostics.Names, state *model.Model,
	isMember func(manifest.Identity) bool,
) diag.Diagnostics {
	id, diags := state.Object()
	isFirst := provider.Run().Rounds.Current() == run.FirstRound
	if diags.HasError() || !isFirst || model.Ending(state, provider).Releases() ||
		!id.IsDefinition() && !id.IsNamespace() {
		return nil
	}
	api, status := provider.Look(ctx, state.Connection)
	if status != providerdata.Ready {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	objects, isAll, err := listing.Along(ctx, api, id, state.Body().Manifest.Object, time.Now())
	if err != nil {
		return nil
	}
	var going []string
	others := 0
	for _, object := range objects {
		isOurs := slices.ContainsFunc(object.Managers, func(name string) bool {
			return strings.HasPrefix(name, ours) || name == state.FieldManager.ValueString()
		})
		if isMember(object.ID) || isOurs && provider.Destroys() {
			continue
		}
		if going = append(going, object.Label); !isOurs {
			others++
		}
	}
	switch {
	case len(going) == 0:
		return nil
	case names.IsSet && id.IsDefinition() && others > 0 && state.Protection.IsNull():
		return diag.Diagnostics{sets.DefinitionInUse(names, id, going, others)}
	}
	return diag.Diagnostics{sets.Along(names, id, going, isAll)}
}
