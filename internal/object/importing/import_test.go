package importing

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Annotations of the source end if they count as ours and the next apply happens; others stay.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	live := map[string]any{"metadata": map[string]any{"annotations": map[string]any{
		corev1.LastAppliedConfigAnnotation: "{}", "k8sconnect.terraform.io/created-at": "now", "k8sconnect.terraform.io/terraform-id": "a", "team": "b",
	}}}
	annotation := func(name string) paths.Path {
		return paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field(name)}
	}
	observed := record.Observed{Live: live, Snapshot: record.Snapshot{Fields: record.KnownFields{
		Declared: paths.NewSet(
			annotation("k8sconnect.terraform.io/created-at"),
			annotation("k8sconnect.terraform.io/terraform-id"),
			annotation("team"),
		),
	}}}
	stay, end := Annotations(observed)
	if !slices.Equal(stay, []string{corev1.LastAppliedConfigAnnotation}) ||
		!slices.Equal(end, []string{"k8sconnect.terraform.io/created-at", "k8sconnect.terraform.io/terraform-id"}) {
		t.Errorf("%q stay, %q end", stay, end)
	}
	if stay, end := Annotations(record.Observed{Live: map[string]any{}}); len(stay)+len(end) > 0 {
		t.Errorf("without annotations: %q, %q", stay, end)
	}
}

func TestWithoutData(t *testing.T) {
	t.Parallel()
	got, err := WithoutData(
		`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"k":"dg=="},"stringData":{"l":"v"},"type":"Opaque"}`,
	)
	want := "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Secret\",\n  \"metadata\": {\n    \"name\": \"a\"\n  },\n  \"type\": \"Opaque\"\n}"
	if err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := WithoutData("a: ["); err == nil {
		t.Error("no error")
	}
}
