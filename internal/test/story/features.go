package story

import (
	"context"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// Feature is a version check whose skip says what the CLI lacks.
type Feature struct {
	tfversion.TerraformVersionCheck
	// Name is what older CLIs lack.
	Name string
}

// CheckTerraformVersion implements tfversion.TerraformVersionCheck.
func (f Feature) CheckTerraformVersion(ctx context.Context, req tfversion.CheckTerraformVersionRequest, resp *tfversion.CheckTerraformVersionResponse) {
	f.TerraformVersionCheck.CheckTerraformVersion(ctx, req, resp)
	if resp.Skip != "" {
		resp.Skip += " (it lacks " + f.Name + ")"
	}
}
