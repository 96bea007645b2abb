package ssa

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// intending returns the intent of a ConfigMap with fields a and b.
func intending(t *testing.T, ignore ...string) Intent {
	t.Helper()
	parsed, err := manifest.Parse(clustertest.ConfigBody)
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := paths.ParseAll(ignore)
	if err != nil {
		t.Fatal(err)
	}
	return Intent{Manifest: parsed, Ignore: patterns, FieldManager: "k8sconnect"}
}
