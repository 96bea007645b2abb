package manifestresource_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

func TestMain(m *testing.M) {
	code := testcluster.Main(m, func(started *testcluster.ControlPlane) { shared = started })
	_ = workdir.RemoveShared()
	os.Exit(code)
}
