package manifestresource

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
)

// refuseLoss returns an error where the state protects its object, or releases one that would have to be replaced. It
// goes by the state and not by the configuration, which a destroy does not have.
func (m model) refuseLoss(loss diagnostics.Loss) diag.Diagnostics {
	released := m.releases() && loss == diagnostics.ImmutableChange
	if !released && (!m.Protection.ValueBool() || m.releases()) {
		return nil
	}
	id, diags := m.object()
	if diags.HasError() {
		return diags
	}
	if released {
		return diag.Diagnostics{words.NotReplaceable(id)}
	}
	return diag.Diagnostics{words.Protected(id, loss)}
}
