package story

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// TestFeature changes the environment and thus is not parallel.
func TestFeature(t *testing.T) {
	const lacking = "Terraform CLI version 1.11.0 is below minimum version 1.12.0: skipping test (it lacks identities)"
	feature := Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_12_0), Name: "identities"}
	for name, test := range map[string]struct {
		cli         string
		request     tfversion.CheckTerraformVersionRequest
		skip, fails string
	}{
		"a CLI that has it":                {request: tfversion.CheckTerraformVersionRequest{TerraformVersion: tfversion.Version1_12_0}},
		"a CLI that lacks it":              {request: tfversion.CheckTerraformVersionRequest{TerraformVersion: tfversion.Version1_11_0}, skip: lacking},
		"OpenTofu, which lacks it":         {cli: "tofu", request: tfversion.CheckTerraformVersionRequest{TerraformVersion: tfversion.Version1_11_0}, skip: lacking},
		"the pinned Terraform, without it": {cli: "terraform-1.16", request: tfversion.CheckTerraformVersionRequest{TerraformVersion: tfversion.Version1_11_0}, fails: lacking},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("K8SCONNECT_TEST_CLI", test.cli)
			var resp tfversion.CheckTerraformVersionResponse
			feature.CheckTerraformVersion(t.Context(), test.request, &resp)
			var failure string
			if resp.Error != nil {
				failure = resp.Error.Error()
			}
			if resp.Skip != test.skip || failure != test.fails {
				t.Errorf("skip %q, error %q; want %q, %q", resp.Skip, failure, test.skip, test.fails)
			}
		})
	}
}
