package sample_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of    func(int) (*unstructured.Unstructured, error)
		field string
		each  int
	}{
		{sample.ConfigMap, "data.app-%04d", 1},
		{sample.Deployment, "spec.template.spec.containers[name=\"app-%04d\"].image", 22},
	} {
		one, two, ten := fieldsOf(t, test.of, 1), fieldsOf(t, test.of, 2), fieldsOf(t, test.of, 10)
		if each := len(two) - len(one); each != test.each || len(ten)-len(two) != 8*each {
			t.Errorf("1, 2 and 10 parts have %d, %d and %d fields", len(one), len(two), len(ten))
		}
		for i := range 10 {
			if field := fmt.Sprintf(test.field, i); !ten[field] {
				t.Errorf("%s is missing", field)
			}
		}
	}
}

// fieldsOf returns the texts of all owned fields of an object, each of which has a value.
func fieldsOf(t *testing.T, of func(int) (*unstructured.Unstructured, error), parts int) map[string]bool {
	t.Helper()
	object, err := of(parts)
	story.Must(t, err)
	claims, err := ownership.Parse(object.GetManagedFields())
	story.Must(t, err)
	texts := map[string]bool{}
	projection.Walk(object.Object, claims.Fields(), func(field projection.Field) {
		if field.Presence == projection.Absent {
			t.Errorf("%s has no value", paths.Format(field.Path))
		}
		texts[paths.Format(field.Path)] = true
	})
	return texts
}
