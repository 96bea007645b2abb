package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestWithItemKeys(t *testing.T) {
	t.Parallel()
	const port = `"k:{\"containerPort\":80,\"protocol\":\"UDP\"}"`
	tests := map[string]struct{ object, fields, want string }{
		"an item that lacks all of its keys gets them": {
			"{ports: [{containerPort: 80, protocol: UDP, name: udp}]}",
			`{"f:ports":{` + port + `:{"f:name":{}}}}`,
			"{ports: [{containerPort: 80, protocol: UDP, name: udp}]}",
		},
		"an item that has one key gets the other": {
			"{ports: [{containerPort: 80, protocol: UDP, name: udp}]}",
			`{"f:ports":{` + port + `:{".":{},"f:containerPort":{}}}}`,
			"{ports: [{containerPort: 80, protocol: UDP}]}",
		},
		"a key that the object leaves to its default stays there": {
			"{ports: [{containerPort: 80, name: short}]}",
			`{"f:ports":{` + port + `:{"f:name":{}}}}`,
			"{ports: [{containerPort: 80, name: short}]}",
		},
		"items of items": {
			"{containers: [{name: app, image: a, ports: [{containerPort: 80, protocol: UDP, hostPort: 1}]}]}",
			`{"f:containers":{"k:{\"name\":\"app\"}":{"f:ports":{` + port + `:{"f:hostPort":{}}}}}}`,
			"{containers: [{name: app, ports: [{containerPort: 80, protocol: UDP, hostPort: 1}]}]}",
		},
		"an item without members keeps its whole value": {
			"{ports: [{containerPort: 80, protocol: UDP, name: udp}]}",
			`{"f:ports":{` + port + `:{}}}`,
			"{ports: [{containerPort: 80, protocol: UDP, name: udp}]}",
		},
		"members of sets and positions have no keys": {
			"{set: [red, blue], list: [{a: 1, b: 2}]}",
			`{"f:set":{"v:\"blue\"":{}},"f:list":{"i:0":{"f:b":{}}}}`,
			"{set: [blue], list: [{b: 2}]}",
		},
		"an item that the object does not have": {
			"{ports: []}", `{"f:ports":{` + port + `:{"f:name":{}}}}`, "{}",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := clustertest.Object(t, tt.object)
			clustertest.Frozen(t, from)
			if diff := cmp.Diff(clustertest.Object(t, tt.want), Extract(from, WithItemKeys(from, clustertest.Fields(t, tt.fields)))); diff != "" {
				t.Errorf("the part with its keys (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsAmbiguous(t *testing.T) {
	t.Parallel()
	const fields = `{"f:spec":{"f:ports":{"k:{\"port\":53,\"protocol\":\"TCP\"}":{"f:port":{}},"k:{\"port\":53,\"protocol\":\"UDP\"}":{"f:port":{}}}}}`
	tests := map[string]struct {
		object string
		want   bool
	}{
		"each item names its keys":                      {"{spec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}}", false},
		"one of two leaves a key to its default":        {"{spec: {ports: [{port: 53}, {port: 53, protocol: UDP}]}}", false},
		"one item that leaves a key to its default":     {"{spec: {ports: [{port: 53}]}}", true},
		"an item that none of the fields belongs to":    {"{spec: {ports: [{port: 54}]}}", false},
		"the list has no item, and the object no field": {"{spec: {}}", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := IsAmbiguous(clustertest.Object(t, tt.object), clustertest.Fields(t, fields)); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
