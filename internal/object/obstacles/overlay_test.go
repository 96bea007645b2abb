package obstacles

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A body is laid over an object as server-side apply does it.
func TestOverlay(t *testing.T) {
	t.Parallel()
	known := clustertest.Fields(t, `{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{"f:name":{}}},`+
		`"f:whole":{},"f:set":{"v:\"a\"":{}},"f:map":{"f:a":{}}}`)
	const base = "{ports: [{port: 80, protocol: TCP, name: theirs}], whole: {a: 1}, set: [a], map: {a: 1, b: 2}}"
	for name, tt := range map[string]struct{ body, want string }{
		"an item without a default key": {
			"{ports: [{port: 81}]}",
			"{ports: [{port: 80, protocol: TCP, name: theirs}, {port: 81}], whole: {a: 1}, set: [a], map: {a: 1, b: 2}}",
		},
		"parts of an item and of a map": {
			"{ports: [{port: 80, name: ours}], map: {a: 3}}",
			"{ports: [{port: 80, protocol: TCP, name: ours}], whole: {a: 1}, set: [a], map: {a: 3, b: 2}}",
		},
		"an atomic map, a set and an empty map": {
			"{whole: {b: 1}, set: [b], map: {}}",
			"{ports: [{port: 80, protocol: TCP, name: theirs}], whole: {b: 1}, set: [a, b], map: {a: 1, b: 2}}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := overlay(clustertest.Object(t, base), clustertest.Object(t, tt.body), known)
			if diff := cmp.Diff(clustertest.Object(t, tt.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The items of a list have the order that the API server gives them.
func TestOverlayOrder(t *testing.T) {
	t.Parallel()
	known := clustertest.Fields(t, `{"f:l":{"v:\"a\"":{},"v:\"b\"":{},"v:\"c\"":{},"v:\"x\"":{}}}`)
	for _, test := range []struct{ base, body, want string }{
		{"[a, b]", "[b, a]", "[b, a]"},
		{"[a, b]", "[c]", "[a, b, c]"},
		{"[a, b, c]", "[c, a]", "[b, c, a]"},
		{"[x, a]", "[c, a]", "[x, c, a]"},
		{"[a, x]", "[c, a]", "[c, a, x]"},
		{"[a, x, b]", "[b, c, a]", "[x, b, c, a]"},
	} {
		got := overlay(clustertest.Object(t, "{l: "+test.base+"}"), clustertest.Object(t, "{l: "+test.body+"}"), known)
		if diff := cmp.Diff(clustertest.Object(t, "{l: "+test.want+"}"), got); diff != "" {
			t.Errorf("%s over %s (-want +got):\n%s", test.body, test.base, diff)
		}
	}
}
