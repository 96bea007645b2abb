package run

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Each resource that has read an object finds it in its plan, and then it is not held any more.
func TestRefreshed(t *testing.T) {
	t.Parallel()
	var held Refreshed
	hold := func(version string) {
		held.Hold(record.Observed{UID: "u", Live: map[string]any{"version": version}})
	}
	expect := func(want any) {
		t.Helper()
		if got := held.TakeOut("u")["version"]; got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	expect(nil)
	hold("1")
	hold("2")
	expect("2")
	hold("3")
	expect("3")
	expect("3")
	expect(nil)
	if len(held.objects) > 0 {
		t.Errorf("%d objects are held", len(held.objects))
	}
}
