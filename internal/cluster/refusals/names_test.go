package refusals

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// TestRefuses distinguishes the field of which the server refuses to keep a part from fields that the refusal does not
// name.
func TestRefuses(t *testing.T) {
	t.Parallel()
	container := paths.Path{paths.Field("containers"), paths.Key(map[string]any{"name": "app"})}
	probe := append(container.Copy(), paths.Field("probe"))
	tests := map[string]struct {
		cause metav1.StatusCause
		field paths.Path
		want  bool
	}{
		"the field itself":          {metav1.StatusCause{Field: "containers[0].probe"}, probe, true},
		"something inside":          {metav1.StatusCause{Field: "containers[0].probe.port"}, probe, true},
		"another field of the item": {metav1.StatusCause{Field: "containers[0].image"}, probe, false},
		"the item around it":        {metav1.StatusCause{Field: "containers[0]"}, probe, false},
		"the list of an item":       {metav1.StatusCause{Field: "containers"}, container, false},
		"the item":                  {metav1.StatusCause{Field: "containers[3].name"}, container, true},
		"another member of a union": {metav1.StatusCause{Field: "containers[0].other",
			Type: metav1.CauseTypeForbidden}, probe, true},
		"a union somewhere else": {metav1.StatusCause{Field: "volumes[0].other", Type: metav1.CauseTypeForbidden},
			probe, false},
		"an error without any field": {metav1.StatusCause{}, probe, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refusal := &cluster.Error{
				Reason: cluster.ReasonInvalid, Details: &cluster.InvalidError{Causes: []metav1.StatusCause{tt.cause}},
			}
			if got := Refuses(refusal, tt.field); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
	if Refuses(clustertest.Failing(cluster.ReasonForbidden), probe) || Refuses(nil, probe) {
		t.Error("an error of another reason refuses a field")
	}
}
