package changes

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// RemovedByTTL warns of a Job that is gone and whose manifest makes the cluster remove it; nil for other objects.
func RemovedByTTL(names diagnostics.Names, id manifest.Identity, body map[string]any) diag.Diagnostics {
	seconds, has, _ := unstructured.NestedInt64(body, "spec", "ttlSecondsAfterFinished")
	if !has || id.Kind != "Job" || id.Group() != "batch" {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(names.About("Job Removed by Its TTL", id), fmt.Sprintf(
		"%s is gone. It has spec.ttlSecondsAfterFinished: %d, so the cluster removes it after it has finished, and "+
			"each apply runs it again.\n\nTo run it once, remove that field from %s.", id, seconds, names.Body))}
}
