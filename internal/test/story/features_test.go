package story

import (
	"slices"
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

func TestNeededBy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"resource \"k8sconnect_manifest\" \"a\" {\n  yaml_body = <<-YAML\n":                   nil,
		"resource \"k8sconnect_manifest\" \"a\" {\n  yaml_body_wo = \"x\"\n}":                 {"write-only arguments"},
		"  yaml_body_wo_version = \"1\"":                                                      nil,
		"ephemeral \"k8sconnect_object\" \"a\" {\n}":                                          {"ephemeral values"},
		"variable \"token\" {\n  ephemeral = true\n}\n\n  yaml_body_wo = var.token\n":         {"ephemeral values", "write-only arguments"},
		"# An ephemeral \"value\" of which only a comment speaks, and yaml_body_wo = nothing": nil,
	} {
		var got []string
		for _, feature := range NeededBy("locals {}", text) {
			got = append(got, feature.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q needs %q, want %q", text, got, want)
		}
	}
}
