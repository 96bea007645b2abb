package faults_test

import (
	"flag"
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// controlPlane is the cluster of all cells; nil where TF_ACC is unset.
var controlPlane *testcluster.ControlPlane

func TestMain(m *testing.M) {
	flag.Parse()
	if limit := flag.Lookup("test.parallel"); limit != nil && os.Getenv("TF_ACC") != "" {
		// The operations' tests wait most of the time, for stalls and timeouts, and wait together.
		_ = limit.Value.Set("32")
	}
	code := testcluster.Main(m, func(started *testcluster.ControlPlane) { controlPlane = started })
	_ = workdir.RemoveShared()
	os.Exit(code)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func skipUnlessAcceptance(t *testing.T) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
}
