package waits

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
)

// Report returns the diagnostics of a wait that has ended with err: a warning if the user may not watch the object, and
// why the object is not ready. outcome is what that means for the resource. explain returns the diagnostic for any
// other error.
func Report(
	words diagnostics.Names, end waiting.Awaited, err error, outcome unready.Outcome,
	explain func(diagnostics.Operation, manifest.Identity, error) diag.Diagnostic,
) diag.Diagnostics {
	var diags diag.Diagnostics
	if end.Refusal != nil {
		diags.Append(unready.WatchRefused(end.Object, end.Refusal))
	}
	if err == nil {
		return diags
	}
	if notReady, is := errors.AsType[*waiting.NotReadyError](err); is {
		diags.Append(unready.NotReady(words, notReady, outcome))
	} else {
		diags.Append(explain(diagnostics.Followed, end.Object, err))
	}
	return diags
}
