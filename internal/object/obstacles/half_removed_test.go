package obstacles

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// A refusal of a half-removed field is about the field itself, or about a part that no other manager holds.
func TestLacks(t *testing.T) {
	t.Parallel()
	item := paths.Path{paths.Field("containers"), paths.Key(map[string]any{"name": "log"})}
	image := append(item.Copy(), paths.Field("image"))
	tests := map[string]struct {
		cause metav1.StatusCause
		want  bool
	}{
		"a part that nobody holds": {metav1.StatusCause{Field: "containers[1].command"}, true},
		"a part that stays":        {metav1.StatusCause{Field: "containers[1].image"}, false},
		"the field itself":         {metav1.StatusCause{Field: "containers[1]"}, true},
		"another field":            {metav1.StatusCause{Field: "volumes[1].name"}, false},
		"a zero of a missing part": {metav1.StatusCause{Field: "containers[1].port", Message: "Invalid value: 0: too low"}, true},
		"a zero of a part that stays": {
			metav1.StatusCause{Field: "containers[1].image", Message: `Invalid value: "": too short`}, false,
		},
		"a zero of the field itself": {metav1.StatusCause{Field: "containers[1]", Message: "Invalid value: 0: too low"}, false},
		"another member of a union":  {metav1.StatusCause{Field: "containers[0]", Type: metav1.CauseTypeForbidden}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := lacks([]metav1.StatusCause{tt.cause}, item, paths.NewSet(image)); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}

// Managers are named for a take-over if that frees all fields.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	field := func(name string, operation metav1.ManagedFieldsOperationType, subresource string) ownership.Change {
		manager := ownership.Manager{Name: name, Operation: operation, Subresource: subresource}
		return ownership.Change{Owners: []ownership.Holder{{Manager: manager}}}
	}
	tuner, kubectl := field("tuner", metav1.ManagedFieldsOperationUpdate, ""), field("kubectl", metav1.ManagedFieldsOperationUpdate, "")
	tests := map[string]struct {
		fields []ownership.Change
		want   []string
	}{
		"who updates":            {[]ownership.Change{tuner, kubectl, tuner}, []string{"kubectl", "tuner"}},
		"one of them applies":    {[]ownership.Change{tuner, field("flux", metav1.ManagedFieldsOperationApply, "")}, nil},
		"through a subresource":  {[]ownership.Change{field("hpa", metav1.ManagedFieldsOperationUpdate, "scale")}, nil},
		"all are taken over now": {[]ownership.Change{kubectl}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := takeOver(ownersOf(tt.fields), []string{"kubectl"}); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
