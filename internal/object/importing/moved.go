package importing

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// sourcePrefix is the prefix of the annotations in which another provider notes what it owns.
const sourcePrefix = "k8sconnect.terraform.io/"

// Annotations returns the annotations that tools write for their own use, sorted: those that stay when our next apply
// leaves them out, and those that it removes because they count as ours.
func Annotations(observed record.Observed) (stay, end []string) {
	live := unstructured.Unstructured{Object: observed.Live}
	for name := range live.GetAnnotations() {
		if name != corev1.LastAppliedConfigAnnotation && !strings.HasPrefix(name, sourcePrefix) {
			continue
		}
		path := paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field(name)}
		if !paths.OrEmpty(observed.Snapshot.Fields.Declared).Has(path) {
			stay = append(stay, name)
		} else {
			end = append(end, name)
		}
	}
	slices.Sort(stay)
	slices.Sort(end)
	return stay, end
}

// WithoutData returns the manifest of a Secret without its data.
func WithoutData(body string) (string, error) {
	secret, err := manifest.Parse(body)
	if err != nil {
		return "", err
	}
	kept := maps.Clone(secret.Object)
	for _, name := range manifest.SecretFields() {
		delete(kept, name)
	}
	return manifest.Canonical(kept)
}
