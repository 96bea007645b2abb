// Package patchresource is the resource k8sconnect_patch: some fields of an object that another client created, applied
// by server-side apply or another patch. This package contains the type name, the schema and the names for diagnostics;
// package objectresource does the rest.
package patchresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/moving"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

type patchResource struct {
	objectresource.Resource
}

// New returns the resource k8sconnect_patch. schemas are what it validates objects against.
func New(schemas *providerdata.Schemas) resource.Resource {
	return &patchResource{objectresource.OfParts(names, schemas)}
}

func (r *patchResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_patch"
	resp.ResourceBehavior.MutableIdentity = true // A cluster can get another name.
}

// names are the names of this resource and its attributes in diagnostics.
var names = objectresource.Names("k8sconnect_patch", "target")

var _ resource.ResourceWithMoveState = (*patchResource)(nil)

// sources are the resources of other providers that apply part of an object.
var sources = moving.Sources{moving.Labels, moving.Annotations, moving.ConfigMapData, moving.Env, moving.NodeTaint}

func (*patchResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{sources.Mover(names, setMoved)}
}

// setMoved sets the object and the fields of a patch.
func setMoved(ctx context.Context, state *tfsdk.State, moved moving.Moved) diag.Diagnostics {
	diags := state.SetAttribute(ctx, path.Root("yaml_body"), moved.Body)
	target := map[string]string{
		"api_version": moved.Object.APIVersion, "kind": moved.Object.Kind, "name": moved.Object.Name,
	}
	if moved.Object.Namespace != "" {
		target["namespace"] = moved.Object.Namespace
	}
	for name, text := range target {
		diags.Append(state.SetAttribute(ctx, path.Root("target").AtName(name), text)...)
	}
	return diags
}
