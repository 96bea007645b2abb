package outages_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// controlPlane is the cluster of all tests, which run one after the other; nil where TF_ACC is unset.
var controlPlane *testcluster.ControlPlane

func TestMain(m *testing.M) {
	code := testcluster.Main(m, func(started *testcluster.ControlPlane) { controlPlane = started })
	_ = workdir.RemoveShared()
	os.Exit(code)
}
