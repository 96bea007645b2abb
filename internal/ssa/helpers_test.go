package ssa

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
)

// intending returns the intent of a ConfigMap with fields a and b.
func intending(t *testing.T, ignore ...string) Intent {
	t.Helper()
	return Intent{Manifest: clustertest.Manifest(t), Ignore: clustertest.Patterns(t, ignore...), FieldManager: "k8sconnect"}
}
