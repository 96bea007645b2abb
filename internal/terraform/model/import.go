package model

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// ImportTarget returns the object to import, and the name of its cluster.
func ImportTarget(
	ctx context.Context, req resource.ImportStateRequest,
) (manifest.Identity, types.String, diag.Diagnostics) {
	if req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
		return identified(ctx, *req.Identity)
	}
	clusterName, text := types.StringNull(), req.ID
	if rest, is := strings.CutPrefix(text, diagnostics.ClusterKey); is {
		name, object, _ := strings.Cut(rest, ",")
		clusterName, text = types.StringValue(name), object
	}
	id, err := manifest.ParseImportID(text)
	var diags diag.Diagnostics
	if fault, ok := errors.AsType[*manifest.Error](err); ok {
		diags.Append(invalid.ImportID(req.ID, fault))
	}
	return id, clusterName, diags
}

// ManagerOf returns the import ID of the object whose part is imported, and the manager that owns the part.
func ManagerOf(id string) (object, manager string, diags diag.Diagnostics) {
	const key = ",manager="
	at := strings.LastIndex(id, key)
	if at < 0 || at+len(key) == len(id) {
		diags.Append(invalid.ImportIDWithoutManager(id))
		return "", "", diags
	}
	return id[:at], id[at+len(key):], nil
}

// identified returns the object that an identity asks to import, and the name of its cluster.
func identified(
	ctx context.Context, identity tfsdk.ResourceIdentity,
) (manifest.Identity, types.String, diag.Diagnostics) {
	var of types.Object
	diags := identity.Get(ctx, &of)
	id := attributes.TargetOf(of)
	if problem := id.Problem(); !diags.HasError() && problem != "" {
		diags.Append(invalid.Identity(id, problem))
	}
	cluster, _ := of.Attributes()[attributes.ClusterNameAttribute].(types.String)
	return id, cluster, diags
}

// WriteImportTarget writes the object to import into a state without attributes.
func WriteImportTarget(
	ctx context.Context, state *tfsdk.State, id manifest.Identity, clusterName types.String,
) diag.Diagnostics {
	diags := state.SetAttribute(ctx, path.Root("id"), id.ID())
	return append(diags, state.SetAttribute(ctx, path.Root(attributes.ClusterNameAttribute), clusterName)...)
}

// ArrivalOf returns how the object came into the state if no read has filled it in yet; "" otherwise.
func ArrivalOf(m *Model, prior record.Prior) invalid.Arrival {
	switch {
	case prior.IsMoved():
		return invalid.Move
	case m.IsImported():
		return invalid.Import
	}
	return ""
}
