package diagnostics

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Scrub returns diags without secret values of 8 bytes and more, and as they may be printed.
func Scrub(diags diag.Diagnostics, secrets ...rendering.Secrets) diag.Diagnostics {
	var clean diag.Diagnostics
	for _, d := range diags {
		summary, detail := d.Summary(), d.Detail()
		for _, s := range secrets {
			summary, detail = s.ScrubLong(summary), s.ScrubLong(detail)
		}
		clean.Append(like(d, manifest.Printable(summary), manifest.Printable(detail)))
	}
	return clean
}

// like returns a diagnostic with the severity and the attribute path of d.
func like(d diag.Diagnostic, summary, detail string) diag.Diagnostic {
	if summary == d.Summary() && detail == d.Detail() {
		return d
	}
	rewritten := Of(d.Severity(), summary, detail)
	if placed, is := d.(diag.DiagnosticWithPath); is {
		return diag.WithPath(placed.Path(), rewritten)
	}
	return rewritten
}
