package manifestresource

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
)

// refuseLoss is an error where the state protects its object. It goes by the state and not by the
// configuration, which a destroy does not have.
func (m model) refuseLoss(loss diagnostics.Loss) diag.Diagnostics {
	if !m.Protection.ValueBool() {
		return nil
	}
	id, err := manifest.ParseID(m.ID.ValueString())
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Invalid Import ID", err.Error())}
	}
	return diag.Diagnostics{diagnostics.Protected(id, loss)}
}
