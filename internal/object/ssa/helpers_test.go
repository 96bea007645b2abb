package ssa

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// intending returns the arguments of a ConfigMap with fields a and b.
func intending(t *testing.T, ignore ...string) arguments.Arguments {
	t.Helper()
	return arguments.Arguments{Manifest: clustertest.Manifest(t), Ignore: clustertest.Patterns(t, ignore...), FieldManager: "k8sconnect"}
}
