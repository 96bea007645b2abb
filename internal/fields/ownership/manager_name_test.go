package ownership

import "testing"

func TestIsCalled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, requested string
		want            bool
	}{
		{"flux", "flux", true},
		{"flux", "flu", false},
		{"flux", "flu*", true},
		{"flux", "flux*", true},
		{"flux", "*", true},
		{"flux", "argocd*", false},
		{"flux", "fl*x", false},
		{"fl*", "fl*", true},
	} {
		if got := IsCalled(tt.name, tt.requested); got != tt.want {
			t.Errorf("%q for %q: got %t", tt.name, tt.requested, got)
		}
	}
}
