package importing

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// sourcePrefix begins the annotations in which another provider notes what is its own.
const sourcePrefix = "k8sconnect.terraform.io/"

// Annotations returns the annotations in which tools note something about themselves, sorted: those that stay when our next apply
// leaves them out, and those that end, because they count as ours.
func Annotations(observed record.Observed) (stay, end []string) {
	live := unstructured.Unstructured{Object: observed.Live}
	for name := range live.GetAnnotations() {
		if name != corev1.LastAppliedConfigAnnotation && !strings.HasPrefix(name, sourcePrefix) {
			continue
		}
		path := paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field(name)}
		if !observed.Snapshot.IsLost() || !paths.OrEmpty(observed.Snapshot.Fields.Declared).Has(path) {
			stay = append(stay, name)
		} else {
			end = append(end, name)
		}
	}
	slices.Sort(stay)
	slices.Sort(end)
	return stay, end
}

// WithoutFields returns an import without top-level fields: they are neither in the manifest nor among the values that the state
// shows.
func (i Imported) WithoutFields(names ...string) (Imported, error) {
	parsed, err := manifest.Parse(i.Body)
	if err != nil {
		return i, err
	}
	body := runtime.DeepCopyJSON(parsed.Object)
	for _, name := range names {
		delete(body, name)
	}
	fields := paths.Filter(paths.OrEmpty(i.Snapshot.Fields.Declared), func(path paths.Path) bool {
		return path[0].FieldName == nil || !slices.Contains(names, *path[0].FieldName)
	})
	carried := i.Snapshot
	observed, err := record.Describe(&unstructured.Unstructured{Object: i.Live}, record.Observation{
		ID: i.Object, Fields: record.KnownFields{Declared: fields, Empty: i.Snapshot.Fields.Empty}, Carried: carried,
	})
	if err != nil {
		return i, err
	}
	text, err := manifest.Canonical(body)
	return Imported{Observed: observed, Body: text}, err
}
