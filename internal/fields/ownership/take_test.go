package ownership

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Fields that are taken leave every other manager with all that is inside, and become ours even if we own nothing yet.
func TestTake(t *testing.T) {
	t.Parallel()
	fields := paths.NewSet(paths.Path{paths.Field("spec"), paths.Field("a")})
	rewrite := Rewrite{Manager: "k8sconnect", Take: fields, TakeAs: Manager{
		Name: "k8sconnect", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "apps/v1",
	}}
	flux := entry("flux", applies, 1, `{"f:spec":{"f:a":{"f:x":{}},"f:b":{}}}`)
	for name, test := range map[string]struct {
		before []metav1.ManagedFieldsEntry
		want   []string
	}{
		"without a claim of ours": {
			[]metav1.ManagedFieldsEntry{flux}, []string{`flux {"f:spec":{"f:b":{}}}`, `k8sconnect {"f:spec":{"f:a":{}}}`},
		},
		"beside our claim": {
			[]metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, `{"f:spec":{"f:c":{}}}`), flux},
			[]string{`k8sconnect {"f:spec":{"f:a":{},"f:c":{}}}`, `flux {"f:spec":{"f:b":{}}}`},
		},
	} {
		after, err := rewrite.Entries(test.before)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, entry := range after {
			got = append(got, entry.Manager+" "+string(entry.FieldsV1.GetRawBytes()))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
