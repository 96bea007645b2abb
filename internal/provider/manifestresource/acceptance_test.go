package manifestresource_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// shared is the cluster of all stories; nil where TF_ACC is unset, and acceptance tests skip.
var shared *testcluster.ControlPlane

// controlPlane returns the cluster of all stories.
func controlPlane() *testcluster.ControlPlane { return shared }

func skipUnlessAcceptance(t *testing.T) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
