package ownership

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A rewrite that ends the last claim leaves a placeholder, which is no owner of any field; one that leaves a claim, and one
// that had nothing to end, do not.
func TestPlaceholder(t *testing.T) {
	t.Parallel()
	ours, bob := entry("k8sconnect", applies, 1, `{"f:a":{}}`), entry("bob", updates, 1, `{"f:b":{}}`)
	rewrite := Rewrite{Manager: "k8sconnect", Release: set(t, `{"f:a":{}}`), Tracks: true}
	for name, test := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    string
	}{
		"the last claim":      {[]metav1.ManagedFieldsEntry{ours}, BeforeFirstApply},
		"others own fields":   {[]metav1.ManagedFieldsEntry{ours, bob}, "bob"},
		"nobody owns a field": {nil, ""},
	} {
		after, err := rewrite.Entries(test.entries)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, entry := range after {
			got += entry.Manager
		}
		if got != test.want {
			t.Errorf("%s: left %q, want %q", name, got, test.want)
		}
		claims, err := Parse(after)
		if err != nil {
			t.Fatal(err)
		}
		if owners := claims.CoOwners(claims.Formatter()); test.want == BeforeFirstApply && (len(owners) > 0 || !claims[0].IsPlaceholder()) {
			t.Errorf("%s: %v own fields", name, owners)
		}
	}
}
