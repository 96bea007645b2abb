package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/objectkit"
)

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *manifestResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = objectkit.IdentitySchema()
}

// identifyPlanned sets the identity of an object that the plan creates. In a replacement, Terraform passes on
// the old object's identity. An unknown identity would turn a failed create into a second error, so the identity
// of an object that cannot be located yet is null.
func identifyPlanned(ctx context.Context, identity *tfsdk.ResourceIdentity, plan model) diag.Diagnostics {
	if !known(plan.ID) {
		identity.Raw = tftypes.NewValue(identity.Schema.Type().TerraformType(ctx), nil)
		return nil
	}
	id, diags := plan.object()
	if diags.HasError() {
		return diags
	}
	return objectkit.Identify(ctx, identity, id)
}
