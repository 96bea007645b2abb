package changes

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// RemovedByTTL warns of a Job that is gone and whose manifest makes the cluster remove it; nil for other objects.
func RemovedByTTL(names diagnostics.Names, id manifest.Identity, body map[string]any) diag.Diagnostics {
	seconds, has, _ := unstructured.NestedInt64(body, "spec", "ttlSecondsAfterFinished")
	if !has || !id.IsJob() {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(names.About("Job Removed by Its TTL", id), fmt.Sprintf(
		"%s is gone. It has spec.ttlSecondsAfterFinished: %d, so the cluster removes it after it has finished, and "+
			"each apply runs it again.\n\nTo run it once, %sremove that field from %s.", id, seconds,
		names.If(arguments.Once, "set %s = true and wait = {}, or "), names.Body))}
}

// NotSeenComplete warns of a Job that is to run once, and that is gone before the provider has seen it complete.
func NotSeenComplete(names diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Job Not Seen Complete", id), fmt.Sprintf(
		"%s is gone. It was not seen complete: it may have failed, somebody may have deleted it while it ran, or the "+
			"cluster removed it before a read. With %s = true, the next apply runs it again.\n\nWith wait = {}, the "+
			"apply sees its end.", id, names.Of(arguments.Once)))
}

// Rerun is why a Job that has run once runs again.
type Rerun string

// Why a Job runs again. The first one is followed by the name of the attribute.
const (
	BodyChanged  Rerun = "has changed since"
	NoLongerOnce Rerun = "It is no longer to run once"
	Elsewhere    Rerun = "The plan is for another cluster or namespace"
)

// RunsAgain warns of a plan that creates a Job again which has run once and is gone.
func RunsAgain(names diagnostics.Names, id manifest.Identity, why Rerun) diag.Diagnostic {
	reason := string(why)
	if why == BodyChanged {
		reason = names.Body + " " + reason
	}
	return diag.NewWarningDiagnostic(names.About("Job Runs Again", id), fmt.Sprintf(
		"%s was complete, and is gone. %s, so it runs again: the apply deletes nothing and creates the Job, although "+
			"the plan calls that a replacement or an update.", id, reason))
}

// OnceUnseen warns of a Job that is to run once and for whose end the apply does not wait.
func OnceUnseen(names diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Job Not Waited For", id), fmt.Sprintf(
		"%s is to run once, and the apply does not wait until it is complete. If the Job is gone before a refresh has "+
			"seen it complete, it runs again.\n\nAdd wait = {} next to %s.", id, names.Of(arguments.Once)))
}
