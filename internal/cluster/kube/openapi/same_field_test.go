package openapi

import "testing"

// The server quotes no names, and names list items by their keys.
func TestIsSameField(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{`data.nginx.conf`, `data["nginx.conf"]`}:                                true,
		{`metadata.annotations.a.b/c`, `metadata.annotations["a.b/c"]`}:          true,
		{`spec.containers[name="app"].env.a.b`, `spec.containers[0].env["a.b"]`}: true,
		{`data.nginx.conf`, `data["nginx.cfg"]`}:                                 false,
	} {
		if got := IsSameField(pair[0], pair[1]); got != want {
			t.Errorf("%s and %s: %t", pair[0], pair[1], got)
		}
	}
}
