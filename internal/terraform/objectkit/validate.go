package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// ValidateConfig refuses arguments that contradict each other.
func (r *Resource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var given map[string]tftypes.Value
	if err := req.Config.Raw.As(&given); err != nil ||
		!r.IsPart && given["pin_fields"].IsNull() && given[model.ListLengthsAttribute].IsNull() {
		// The other attributes have their own validators. Parsing the manifest again would take longer than those.
		return
	}
	config := r.model()
	resp.Diagnostics.Append(config.Read(ctx, req.Config)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(model.Validate(config, r.speakingOf(config).Names)...)
	}
}
