package ssa

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// intending returns the intent of a ConfigMap with fields a and b.
func intending(t *testing.T, ignore ...string) intents.Intent {
	t.Helper()
	return intents.Intent{Manifest: clustertest.Manifest(t), Ignore: clustertest.Patterns(t, ignore...), FieldManager: "k8sconnect"}
}
