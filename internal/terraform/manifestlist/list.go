// Package manifestlist has the list resource k8sconnect_manifest: terraform query finds objects on a cluster with it,
// and writes them as configuration.
package manifestlist

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var (
	_ list.ListResourceWithConfigure      = (*manifestList)(nil)
	_ list.ListResourceWithValidateConfig = (*manifestList)(nil)
)

type manifestList struct {
	// kit writes results in the same form as the resource writes its state.
	kit objectresource.Resource
}

// timeout bounds a query.
const timeout = 10 * time.Minute

// atOnce is how many objects are read before their results are sent.
const atOnce = 16

// names are the names of this list resource and its attributes in diagnostics.
var names = diagnostics.Names{
	Noun: "list block", Type: "k8sconnect_manifest", Target: "its kind and namespace",
	Cluster: attributes.AttributeName, Timeouts: diagnostics.Timeouts{Fixed: timeout},
	Sent:      diagnostics.Sent{Body: "yaml_body", WriteOnlyBody: model.WriteOnlyAttribute},
	Arguments: diagnostics.Arguments{arguments.AdoptExisting: arguments.AdoptExisting},
}

// New returns the list resource k8sconnect_manifest.
func New() list.ListResource { return &manifestList{kit: objectresource.ForList(names)} }

func (l *manifestList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_manifest"
}

func (l *manifestList) Configure(ctx context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.kit.Configure(ctx, req, resp)
}

// List lists metadata, with one LIST of each kind for each 500 objects. With IncludeResource, it imports each object
// that it returns: one GET, and dry-runs where the import needs them.
func (l *manifestList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var m listModel
	if diags := req.Config.Get(ctx, &m); diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	query := m.query(l.kit.Provider().FieldManager().ValueString())
	api, diags := reading.Connect(ctx, l.kit.Provider(), names, m.Connection, query.Objects())
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		all, refused := find(ctx, api, query)
		diags.Append(refused...)
		objects := all.Objects
		if limit := int(req.Limit); limit > 0 && len(objects) > limit && !diags.HasError() {
			diags.Append(names.LimitReached(len(objects), limit))
			objects = objects[:limit]
		}
		// Terraform reads no more results than the limit, so diagnostics about the whole list come first.
		if len(diags) > 0 && !push(list.ListResult{Diagnostics: diags}) || diags.HasError() {
			return
		}
		for part := range slices.Chunk(objects, atOnce) {
			for _, result := range listing.InOrder(part, func(object listing.Object) *list.ListResult {
				return l.result(ctx, api, req, found{object, m.Connection})
			}) {
				if result != nil && (!push(*result) || ctx.Err() != nil && result.Diagnostics.HasError()) {
					return
				}
			}
		}
	}
}

// find returns what a query finds. A kind that cannot be listed is an error if the query names only that kind, and a
// warning otherwise.
func find(ctx context.Context, api cluster.Interface, query listing.Query) (listing.Found, diag.Diagnostics) {
	found, err := query.Find(ctx, api)
	if err != nil {
		return found, diag.Diagnostics{reading.Unlisted(names, query.Objects(), err)}
	}
	var diags diag.Diagnostics
	for _, problem := range found.Problems {
		explained := reading.Unlisted(names, problem.Objects, problem.Err)
		// A namespace for cluster-scoped objects is an error even if other objects were listed.
		_, isInvalid := errors.AsType[*listing.ClusterScopedError](problem.Err)
		if len(query.Kinds) != 1 && !isInvalid {
			explained = diagnostics.NotListed(names.About("Kind Not Listed", problem.Objects), explained)
		}
		diags.Append(explained)
	}
	return found, diags
}

// found is an object with the connection that has found it.
type found struct {
	listing.Object
	attributes.Connection
}

// result returns the list result for an object; nil if the object was deleted after it was listed.
func (l *manifestList) result(
	ctx context.Context, api cluster.Interface, req list.ListRequest, object found,
) *list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = object.Label
	result.Diagnostics.Append(model.Identify(ctx, result.Identity, object.ID, object.ClusterName)...)
	if !req.IncludeResource {
		return &result
	}
	diags, err := l.kit.Describe(ctx, api, object.ID, object.ClusterName, &result)
	result.Diagnostics.Append(diags...)
	switch {
	case err == nil:
		return &result
	case cluster.IsGone(err):
		return nil
	case ctx.Err() != nil:
		return &list.ListResult{Diagnostics: diag.Diagnostics{names.Error(diagnostics.Imported, object.ID, err)}}
	}
	return &list.ListResult{
		Diagnostics: diag.Diagnostics{diagnostics.NotListed(names.About("Object Not Listed", object.ID),
			names.Error(diagnostics.Imported, object.ID, err))},
	}
}
