package story

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Feature is a version check whose skip says what the CLI lacks. With the pinned Terraform it fails and does not skip.
// Write it into the test function that needs it: make test-terraform looks for it there.
type Feature struct {
	tfversion.TerraformVersionCheck
	// Name is what older CLIs lack.
	Name string
}

// CheckTerraformVersion implements tfversion.TerraformVersionCheck.
func (f Feature) CheckTerraformVersion(ctx context.Context, req tfversion.CheckTerraformVersionRequest, resp *tfversion.CheckTerraformVersionResponse) {
	f.TerraformVersionCheck.CheckTerraformVersion(ctx, req, resp)
	if resp.Skip == "" {
		return
	}
	resp.Skip += " (it lacks " + f.Name + ")"
	if testcluster.PinnedTerraform() {
		resp.Error, resp.Skip = errors.New(resp.Skip), ""
	}
}
