package manifestresource_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// feature is a version check whose skip says what the CLI lacks.
type feature struct {
	tfversion.TerraformVersionCheck
	name string
}

func (f feature) CheckTerraformVersion(ctx context.Context, req tfversion.CheckTerraformVersionRequest, resp *tfversion.CheckTerraformVersionResponse) {
	f.TerraformVersionCheck.CheckTerraformVersion(ctx, req, resp)
	if resp.Skip != "" {
		resp.Skip += " (it lacks " + f.name + ")"
	}
}
