package manifestresource

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
)

// refuseLoss is an error where the state protects its object. It goes by the state and not by the
// configuration, which a destroy does not have.
func (m model) refuseLoss(loss diagnostics.Loss) diag.Diagnostics {
	if !m.Protection.ValueBool() {
		return nil
	}
	id, diags := m.object()
	if diags.HasError() {
		return diags
	}
	return diag.Diagnostics{diagnostics.Protected(id, loss)}
}
