package record_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// What we own, by updates too, becomes one entry of the successor's applies, without the maps that only updates claim.
func TestSucceed(t *testing.T) {
	t.Parallel()
	const fields = `{"f:metadata":{"f:labels":{".":{},"f:team":{}}}}`
	applied := clustertest.Owning(`{"f:data":{"f:a":{}}}`)[0]
	theirs := applied
	theirs.Manager, theirs.FieldsV1 = "flux", metav1.NewFieldsV1(`{"f:data":{"f:b":{}}}`)
	for name, test := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    string
	}{
		"applied": {[]metav1.ManagedFieldsEntry{applied}, `[Apply flux {"f:data":{"f:a":{}}}]`},
		"updated": {[]metav1.ManagedFieldsEntry{clustertest.Updating("k8sconnect", fields)}, `[Apply flux {"f:metadata":{"f:labels":{"f:team":{}}}}]`},
		"both, and the successor applies": {
			[]metav1.ManagedFieldsEntry{theirs, applied, clustertest.Updating("k8sconnect", fields)},
			`[Apply flux {"f:data":{"f:a":{},"f:b":{}},"f:metadata":{"f:labels":{"f:team":{}}}}]`,
		},
		"nothing of ours": {[]metav1.ManagedFieldsEntry{clustertest.Updating("eve", fields)}, `[Update eve ` + fields + `]`},
	} {
		claims, err := ownership.Parse(test.entries)
		if err != nil {
			t.Fatal(err)
		}
		after, err := record.Succeed(claims, "k8sconnect", "flux").Entries(test.entries)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, entry := range after {
			got = append(got, fmt.Sprintf("%s %s %s", entry.Operation, entry.Manager, entry.FieldsV1.GetRawBytes()))
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%s: got %v, want %s", name, got, test.want)
		}
	}
}
