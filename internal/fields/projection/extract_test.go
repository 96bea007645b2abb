package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestExtract(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fields string
		want   string
	}{
		"leaves with their whole value":       {`{"f:spec":{"f:args":{},"f:replicas":{}}}`, "{spec: {args: [serve, --fast], replicas: 3}}"},
		"an empty map that is owned":          {`{"f:spec":{"f:empty":{}}}`, "{spec: {empty: {}}}"},
		"fields without a value are left out": {`{"f:spec":{"f:paused":{},"f:template":{"f:x":{}}}}`, "{}"},
		"an owned container stays when empty": {`{"f:spec":{".":{},"f:paused":{}}}`, "{spec: {}}"},
		"set members in the object's order":   {`{"f:spec":{"f:colours":{"v:7":{},"v:\"red\"":{},"v:9":{}}}}`, "{spec: {colours: [red, 7]}}"},
		"items keep the object's order":       {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{"f:name":{}},"k:{\"containerPort\":80,\"protocol\":\"UDP\"}":{"f:name":{}}}}}`, "{spec: {ports: [{name: udp}, {name: full}]}}"},
		"an item keeps its keys to itself":    {`{"f:spec":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{}}}}}`, "{spec: {ports: [{containerPort: 80, name: short}]}}"},
		"an owned item without members":       {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{}}}}`, "{spec: {ports: [{containerPort: 443, protocol: TCP, name: full}]}}"},
		"an item of which nothing is there":   {`{"f:spec":{"f:ports":{"k:{\"containerPort\":443,\"protocol\":\"TCP\"}":{"f:hostIP":{}}}}}`, "{}"},
		"no fields":                           {`{}`, "{}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := clustertest.Object(t, shelf)
			clustertest.Frozen(t, from)
			if diff := cmp.Diff(clustertest.Object(t, tt.want), Extract(from, clustertest.Fields(t, tt.fields))); diff != "" {
				t.Errorf("extract (-want +got):\n%s", diff)
			}
		})
	}
}
