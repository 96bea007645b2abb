package obstacles

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// A refusal that names no field is that of a policy, and no reason to delete the object.
func TestOfChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cause metav1.StatusCause
		want  bool
	}{
		"a field":         {metav1.StatusCause{Field: "spec.size", Message: "must not shrink"}, true},
		"a change freeze": {metav1.StatusCause{Message: "change freeze: field data is immutable until Monday"}, false},
		"the status":      {metav1.StatusCause{Field: "status.size", Message: "must not shrink"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refusal := &cluster.Error{Reason: cluster.ReasonInvalid, Details: &cluster.InvalidError{Causes: []metav1.StatusCause{test.cause}}}
			_, is := errors.AsType[*ChangeRefusedError](OfChange(refusal, func() bool { return true }))
			if is != test.want {
				t.Errorf("%t, want %t", is, test.want)
			}
		})
	}
}
