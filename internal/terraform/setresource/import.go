package setresource

import (
	"context"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var _ resource.ResourceWithImportState = (*setResource)(nil)

// importTimeout bounds the search for the objects of an import.
const importTimeout = 10 * time.Minute

// importID holds the parts of the ID of an import, cluster=NAME,manager=NAME,namespace=NAME. Only the manager is
// required.
type importID struct{ cluster, manager, namespace string }

// parseImportID returns false for an ID without a manager, or with something else.
func parseImportID(text string) (importID, bool) {
	var id importID
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		field, known := map[string]*string{
			"cluster": &id.cluster, "manager": &id.manager, "namespace": &id.namespace,
		}[key]
		if !known || value == "" || strings.HasSuffix(value, "*") || *field != "" {
			return importID{}, false
		}
		*field = value
	}
	return id, id.manager != ""
}

// ImportState finds the objects that a manager has applied, and stores their IDs: one LIST of metadata for each kind
// and each 500 objects. The read that follows writes their manifests.
func (r *setResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	r.provider.Run().Rounds.Set(run.FirstRound)
	id, is := parseImportID(req.ID)
	if !is {
		resp.Diagnostics.Append(sets.ImportID(req.ID))
		return
	}
	of := attributes.Connection{ClusterName: attributes.OrNull(id.cluster)}
	if req.ClientCapabilities.DeferralAllowed && r.provider.IsDeferred(ctx, of) {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonProviderConfigUnknown}
		return
	}
	ctx, cancel := context.WithTimeout(ctx, importTimeout)
	defer cancel()
	found, diags := r.find(ctx, of, id)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	manifests, objects := map[string]entry{}, map[string]attr.Value{}
	for _, object := range found {
		manifests[object.Key()] = entry{types.StringNull(), object.IsSecret()}
		objects[object.Key()] = (&member{stored: stored{Object: object.ID(), Unseen: true}}).shown()
	}
	imported := set{}.withEntries(manifests)
	for name, value := range map[string]any{
		manifestsAttribute:              imported.Manifests,
		secretAttribute:                 imported.SecretManifests,
		"objects":                       types.MapValueMust(objectType, objects),
		"pending":                       map[string]string{},
		"field_manager":                 id.manager,
		attributes.ClusterNameAttribute: of.ClusterName,
	} {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// find returns the objects that a manager has applied. A kind that cannot be listed is a warning.
func (r *setResource) find(
	ctx context.Context, of attributes.Connection, id importID,
) ([]manifest.Identity, diag.Diagnostics) {
	query := listing.Query{Namespace: id.namespace, Filter: listing.AppliedBy(id.manager)}
	api, diags := reading.Connect(ctx, r.provider, names, of, query.Objects())
	if diags.HasError() {
		return nil, diags
	}
	found, err := query.Find(ctx, api)
	if err != nil {
		return nil, append(diags, reading.Unlisted(names, query.Objects(), err))
	}
	for _, problem := range found.Problems {
		diags.Append(diagnostics.NotListed(names.About("Kind Not Listed", problem.Objects),
			reading.Unlisted(names, problem.Objects, problem.Err)))
	}
	if len(found.Objects) == 0 {
		diags.Append(sets.NothingApplied(id.manager, id.namespace))
	}
	var ids []manifest.Identity
	for _, object := range found.Objects {
		ids = append(ids, object.ID)
	}
	return ids, diags
}
