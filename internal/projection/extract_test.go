package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExtract(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fields string
		keys   ItemKeys
		want   string
	}{
		"leaves with their whole value":        {`{"f:spec":{"f:args":{},"f:replicas":{}}}`, AddItemKeys, "{spec: {args: [serve, --fast], replicas: 3}}"},
		"an empty map that is owned":           {`{"f:spec":{"f:empty":{}}}`, AddItemKeys, "{spec: {empty: {}}}"},
		"fields without a value are left out":  {`{"f:spec":{"f:paused":{},"f:template":{"f:x":{}}}}`, AddItemKeys, "{}"},
		"an owned container stays when empty":  {`{"f:spec":{".":{},"f:paused":{}}}`, AddItemKeys, "{spec: {}}"},
		"set members in the object's order":    {`{"f:spec":{"f:colours":{"v:7":{},"v:\"red\"":{},"v:9":{}}}}`, AddItemKeys, "{spec: {colours: [red, 7]}}"},
		"items keep the object's order":        {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{"f:name":{}},"k:{\"containerPort\":80,\"protocol\":\"UDP\"}":{"f:name":{}}}}}`, LeaveItemKeys, "{spec: {ports: [{name: udp}, {name: full}]}}"},
		"an item gets the keys that it needs":  {`{"f:spec":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"UDP\"}":{"f:name":{}}}}}`, AddItemKeys, "{spec: {ports: [{containerPort: 80, protocol: UDP, name: udp}]}}"},
		"an item keeps its keys to itself":     {`{"f:spec":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{}}}}}`, LeaveItemKeys, "{spec: {ports: [{containerPort: 80, name: short}]}}"},
		"an item that has a key gets no other": {`{"f:spec":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{}}}}}`, AddItemKeys, "{spec: {ports: [{containerPort: 80, name: short}]}}"},
		"an owned item without members":        {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{}}}}`, LeaveItemKeys, "{spec: {ports: [{containerPort: 443, protocol: TCP, name: full}]}}"},
		"an item of which nothing is there":    {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{"f:hostIP":{}}}}}`, LeaveItemKeys, "{}"},
		"such an item does not come as keys":   {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{"f:hostIP":{}}}}}`, AddItemKeys, "{}"},
		"no fields":                            {`{}`, AddItemKeys, "{}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := object(t, shelf)
			frozen(t, from)
			if diff := cmp.Diff(object(t, tt.want), Extract(from, set(t, tt.fields), tt.keys)); diff != "" {
				t.Errorf("extract (-want +got):\n%s", diff)
			}
		})
	}
}
