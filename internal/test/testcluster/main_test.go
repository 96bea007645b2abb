package testcluster_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// cluster is the control plane of the acceptance tests, nil without TF_ACC.
var cluster *testcluster.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(testcluster.MainAlone(m, func(started *testcluster.ControlPlane) { cluster = started }))
}

// requireCluster skips a test that needs a control plane without one.
func requireCluster(t *testing.T) *testcluster.ControlPlane {
	t.Helper()
	if cluster == nil {
		t.Skip("TF_ACC is not set")
	}
	return cluster
}
