package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// The keys that an apply has left to their defaults are known from its items that can be only one element. An item that
// can be several elements tells none.
func TestDefaultKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ last, known, object, want string }{
		"beside an item with all keys": {
			last:   `{ports: [{port: 443}, {port: 443, protocol: UDP}]}`,
			known:  `{"f:ports":{"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},"k:{\"port\":443,\"protocol\":\"UDP\"}":{".":{},"f:port":{},"f:protocol":{}}}}`,
			object: `{ports: [{port: 443}, {port: 53, protocol: UDP}, {name: odd}]}`,
			want:   `{ports: [{port: 443, protocol: TCP}, {port: 53, protocol: UDP}, {name: odd, protocol: TCP}]}`,
		},
		"in items of a list": {
			last:   `{pods: [{name: a, ports: [{port: 1}]}]}`,
			known:  `{"f:pods":{"k:{\"name\":\"a\"}":{".":{},"f:name":{},"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}}}`,
			object: `{size: 1, pods: [{name: b, ports: [{port: 2}]}]}`,
			want:   `{size: 1, pods: [{name: b, ports: [{port: 2, protocol: TCP}]}]}`,
		},
		"beside an item that others have made, of which a value is pinned": {
			last:   `{ports: [{port: 443}]}`,
			known:  `{"f:ports":{"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},"k:{\"port\":443,\"protocol\":\"UDP\"}":{".":{},"f:nodePort":{},"f:port":{},"f:protocol":{}}}}`,
			object: `{ports: [{port: 443}]}`,
			want:   `{ports: [{port: 443, protocol: TCP}]}`,
		},
		"an item of two elements": {
			last:   `{ports: [{port: 443}]}`,
			known:  `{"f:ports":{"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{}},"k:{\"port\":443,\"protocol\":\"UDP\"}":{".":{}}}}`,
			object: `{ports: [{port: 443}]}`,
			want:   `{ports: [{port: 443}]}`,
		},
		"no list": {last: `{size: 1}`, known: `{"f:size":{}}`, object: `{ports: [{port: 443}]}`, want: `{ports: [{port: 443}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := clustertest.Object(t, c.object)
			clustertest.Frozen(t, object)
			keys := DefaultKeysOf(clustertest.Object(t, c.last), clustertest.Fields(t, c.known))
			if diff := cmp.Diff(clustertest.Object(t, c.want), keys.Complete(object)); diff != "" {
				t.Errorf("completed (-want +got):\n%s", diff)
			}
		})
	}
}
