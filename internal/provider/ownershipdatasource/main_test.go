package ownershipdatasource_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// controlPlane is the cluster of all stories; nil where TF_ACC is unset, and acceptance tests skip.
var controlPlane *testcluster.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(testcluster.Main(m, func(started *testcluster.ControlPlane) { controlPlane = started }))
}
