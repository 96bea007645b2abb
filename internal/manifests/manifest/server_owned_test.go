package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestServerOwnedFields(t *testing.T) {
	t.Parallel()
	const empty = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, creationTimestamp: null, generation: 0, managedFields: [], " +
		"resourceVersion: '', uid: ~, deletionGracePeriodSeconds: 0.0}\n"
	parsed, err := Parse(empty)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"metadata.creationTimestamp", "metadata.deletionGracePeriodSeconds", "metadata.generation", "metadata.managedFields",
		"metadata.resourceVersion", "metadata.uid",
	}
	if diff := cmp.Diff(want, parsed.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if !EqualText(empty, web) {
		t.Error("what is dropped tells two manifests apart")
	}
	assertError(t, "apiVersion: v1\nkind: A\nmetadata: {name: a, uid: x, selfLink: '', resourceVersion: '7', generation: 1}",
		"only the API server writes metadata.generation, metadata.resourceVersion and metadata.uid. Remove them from the manifest.")
}
