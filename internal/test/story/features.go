package story

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Feature is a version check whose skip names what the CLI lacks. With the newest pinned Terraform, the test fails
// instead of being skipped. Use a Feature in the test function that needs it, because make test-terraform looks for it
// there. For the features that [NeededBy] returns, a test needs no Feature.
type Feature struct {
	tfversion.TerraformVersionCheck
	// Name is what older CLIs lack.
	Name string
}

// Needed skips a test whose commands need the feature if the CLI lacks it. With the newest pinned Terraform, the test
// fails instead.
func (f Feature) Needed(w *Workspace) {
	w.T.Helper()
	text, err := w.CLI.Version(w.T.Context())
	Must(w.T, err)
	number, err := version.NewVersion(text)
	Must(w.T, err)
	var resp tfversion.CheckTerraformVersionResponse
	f.CheckTerraformVersion(w.T.Context(), tfversion.CheckTerraformVersionRequest{TerraformVersion: number}, &resp)
	Must(w.T, resp.Error)
	if resp.Skip != "" {
		w.T.Skip(resp.Skip)
	}
}

// CheckTerraformVersion implements tfversion.TerraformVersionCheck.
func (f Feature) CheckTerraformVersion(
	ctx context.Context, req tfversion.CheckTerraformVersionRequest, resp *tfversion.CheckTerraformVersionResponse,
) {
	f.TerraformVersionCheck.CheckTerraformVersion(ctx, req, resp)
	if resp.Skip == "" {
		return
	}
	resp.Skip += " (it lacks " + f.Name + ")"
	if testcluster.NewestTerraform() {
		resp.Error, resp.Skip = errors.New(resp.Skip), ""
	}
}

// written are the features that can be found in the source of a configuration. The CLI of make test has all of them.
var written = []struct {
	pattern *regexp.Regexp
	feature Feature
}{
	{regexp.MustCompile(`(?m)^\s*ephemeral "|\bephemeral\s*=\s*true`),
		Feature{tfversion.SkipBelow(tfversion.Version1_10_0), "ephemeral values"}},
	{regexp.MustCompile(`(?m)^\s*yaml_body_wo\s*=`),
		Feature{tfversion.SkipBelow(tfversion.Version1_11_0), "write-only arguments"}},
}

// NeededBy returns the features that configurations need, as far as their source shows them.
func NeededBy(configurations ...string) []Feature {
	text := strings.Join(configurations, "\n")
	var needed []Feature
	for _, w := range written {
		if w.pattern.MatchString(text) {
			needed = append(needed, w.feature)
		}
	}
	return needed
}
