package objectsdatasource

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/reading"
)

// Read lists the objects, with one LIST for each 500 of them.
func (d *objectsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	api, diags := reading.Connect(ctx, d.provider, words, m.Collection, m.Collection.Objects())
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	selected, diags := m.list(ctx, api)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	m.set(selected)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// list returns the objects that the arguments select, in their order.
func (m model) list(ctx context.Context, api cluster.Interface) (cluster.Selected, diag.Diagnostics) {
	kind := m.Collection.Objects()
	located, err := cluster.Locate(ctx, api, kind)
	if err != nil {
		return cluster.Selected{}, diag.Diagnostics{words.Error(diagnostics.Listed, kind, err)}
	}
	if located.Namespace == "" && kind.Namespace != "" {
		return cluster.Selected{}, diag.Diagnostics{reading.ClusterScoped(diagnostics.Listed, kind)}
	}
	query := cluster.ListQuery{
		APIVersion: kind.APIVersion, Kind: kind.Kind, Namespace: kind.Namespace, AllNamespaces: kind.Namespace == "",
		LabelSelector: m.LabelSelector.ValueString(), FieldSelector: m.FieldSelector.ValueString(), MetadataOnly: m.MetadataOnly.ValueBool(),
	}
	selected, err := cluster.ListAll(ctx, api, query, cluster.Selection{Keep: owning(m.Manager), Limit: int(m.Limit.ValueInt64())})
	var unreadable *unreadableError
	switch {
	case errors.As(err, &unreadable):
		return selected, diag.Diagnostics{diagnostics.UnreadableOwnership(unreadable.object, unreadable.cause)}
	case err != nil:
		return selected, diag.Diagnostics{words.Error(diagnostics.Listed, kind, err)}
	}
	slices.SortFunc(selected.Objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return selected, nil
}

// set sets the computed attributes.
func (m *model) set(selected cluster.Selected) {
	objects := make([]any, len(selected.Objects))
	m.IDs = make([]string, len(selected.Objects))
	for i, object := range selected.Objects {
		objects[i], m.IDs[i] = reading.Shown(object, reading.WithoutData), identityOf(object).ID()
	}
	m.Objects, m.Truncated = types.DynamicValue(reading.Value(objects)), types.BoolValue(selected.Truncated)
}

func identityOf(object *unstructured.Unstructured) manifest.Identity {
	return manifest.Identity{APIVersion: object.GetAPIVersion(), Kind: object.GetKind(), Namespace: object.GetNamespace(), Name: object.GetName()}
}

// unreadableError is an object whose managedFields cannot be parsed.
type unreadableError struct {
	object manifest.Identity
	cause  error
}

func (e *unreadableError) Error() string { return e.object.String() + ": " + e.cause.Error() }

// owning returns whether a manager of that name owns a field of an object; nil without a name.
func owning(manager types.String) func(*unstructured.Unstructured) (bool, error) {
	if manager.IsNull() {
		return nil
	}
	return func(object *unstructured.Unstructured) (bool, error) {
		claims, err := ownership.ParseWithStatus(object.GetManagedFields())
		if err != nil {
			return false, &unreadableError{identityOf(object), err}
		}
		return slices.ContainsFunc(claims, func(claim ownership.Claim) bool {
			return ownership.IsCalled(claim.Name, manager.ValueString()) && !claim.Fields.Empty()
		}), nil
	}
}
