package testcluster

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestUnready(t *testing.T) {
	ready := []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	taints := []corev1.Taint{{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}}
	tests := map[string]struct {
		conditions []corev1.NodeCondition
		taints     []corev1.Taint
		want       string
	}{
		"new":                       {nil, taints, "the node " + NodeName + " is not ready"},
		"nobody has looked":         {ready, taints, "the node " + NodeName + " has the taint node.kubernetes.io/not-ready:NoSchedule"},
		"a controller has seen it":  {ready, nil, ""},
		"a condition that is false": {[]corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse}}, nil, "the node " + NodeName + " is not ready"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			node := simulatedNode()
			node.Status.Conditions, node.Spec.Taints = tt.conditions, tt.taints
			var got string
			if err := unready(node); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
