package reading_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// Times are in UTC wherever Terraform runs, and what an entry lacks is null.
func TestOwners(t *testing.T) {
	t.Parallel()
	kubectl := ownership.Manager{Name: "kubectl", Operation: "Update", APIVersion: "apps/v1", Subresource: "scale"}
	flux := ownership.Manager{Name: "flux", Operation: "Apply", APIVersion: "apps/v1"}
	noon := time.Date(2024, 5, 1, 14, 0, 0, 0, time.FixedZone("", 2*60*60))
	scale, written := "scale", "2024-05-01T12:00:00Z"
	want := []reading.Owner{
		{Manager: "kubectl", Operation: "Update", APIVersion: "apps/v1", Subresource: &scale},
		{Manager: "flux", Operation: "Apply", APIVersion: "apps/v1", Time: &written},
	}
	got := reading.Owners([]ownership.Holder{{Manager: kubectl}, {Manager: flux, Time: noon}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}
