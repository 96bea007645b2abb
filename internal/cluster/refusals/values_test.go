package refusals

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// A map that would become null is found, unless the server names another fault.
func TestEmptied(t *testing.T) {
	t.Parallel()
	own := paths.NewSet(paths.Path{paths.Field("spec"), paths.Field("schedule"), paths.Field("mode")})
	null := metav1.StatusCause{
		Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.schedule",
		Message: `Invalid value: "null": spec.schedule in body must be of type object: "null"`,
	}
	other := metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.size", Message: `Invalid value: "x": spec.size in body must be of type integer: "string"`}
	for name, test := range map[string]struct {
		causes []metav1.StatusCause
		want   int
	}{
		"alone": {[]metav1.StatusCause{null}, 1}, "with another fault": {[]metav1.StatusCause{null, other}, 0}, "none": {nil, 0},
	} {
		if got := Emptied(&cluster.InvalidError{Causes: test.causes}, own); len(got) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
