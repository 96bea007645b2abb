package diagnostics_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// Every warning is read back without loss, in the words of every resource.
func TestWarningsAreReadBack(t *testing.T) {
	t.Parallel()
	read := 0
	for _, r := range everything() {
		for _, words := range []diagnostics.Names{manifestWords, only(r.about)} {
			for _, d := range r.build(words) {
				if d.Severity() == diag.SeverityWarning {
					read++
					readBack(t, d)
				}
			}
		}
	}
	if read < 50 {
		t.Errorf("only %d warnings", read)
	}
}

// readBack asserts that a warning is read without loss, and that no line about owners stays in its text.
func readBack(t *testing.T, d diag.Diagnostic) {
	t.Helper()
	message := reader.Read(d.Summary(), d.Detail())
	if message.Summary() != d.Summary() || message.Detail() != d.Detail() {
		t.Errorf("%s is read as %s:\n%s\n---\n%s", d.Summary(), message.Summary(), d.Detail(), message.Detail())
	}
	for _, block := range message.Blocks {
		for line := range strings.Lines(block.Text) {
			if strings.HasPrefix(line, "  ") && strings.Contains(line, ", owned by ") {
				t.Errorf("%s: not read: %s", d.Summary(), line)
			}
		}
		for _, field := range block.Fields {
			if field.Path == "" || strings.ContainsAny(field.Fate, `"`) && field.HasBecomes {
				t.Errorf("%s: read in part: %+v", d.Summary(), field)
			}
		}
	}
}
