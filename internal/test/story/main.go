package story

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// shared is the control plane that Main started; nil if TF_ACC is not set.
var shared *testcluster.ControlPlane

// Main runs the tests of a package and returns the exit code: func TestMain(m *testing.M) { os.Exit(story.Main(m)) }.
// It starts the control plane if TF_ACC is set, or attaches to the one of [testcluster.EnvDir].
func Main(m *testing.M) int {
	return run(m, testcluster.Main)
}

// MainAlone does what Main does, with a control plane of its own: for tests that stop servers, or that need fixed
// names.
func MainAlone(m *testing.M) int { return run(m, testcluster.MainAlone) }

func run(m *testing.M, main func(*testing.M, func(*testcluster.ControlPlane)) int) int {
	code := main(m, func(started *testcluster.ControlPlane) { shared = started })
	_ = workdir.RemoveShared()
	if second.started != nil {
		if err := second.started.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the second control plane:", err)
			return max(code, 1)
		}
	}
	return code
}

// Parallel prepares Main to run n tests at a time. Tests wait for servers and controllers, and use a core for part of
// their time only.
func Parallel(n int) {
	flag.Parse()
	if limit := flag.Lookup("test.parallel"); limit != nil && os.Getenv("TF_ACC") != "" {
		_ = limit.Value.Set(strconv.Itoa(n))
	}
}

// ControlPlane returns the cluster of all stories of the package; nil if TF_ACC is not set.
func ControlPlane() *testcluster.ControlPlane { return shared }

// second is the control plane that SecondControlPlane started.
var second struct {
	sync.Mutex
	started *testcluster.ControlPlane
}

// SecondControlPlane returns another cluster, which the stories of the package share: their objects on it need names of
// their own. The first call starts it.
func SecondControlPlane(t *testing.T) *testcluster.ControlPlane {
	t.Helper()
	second.Lock()
	defer second.Unlock()
	if second.started == nil {
		// The context of the test would end the cluster with it.
		started, err := testcluster.Start(context.WithoutCancel(t.Context()), testcluster.Options{})
		Must(t, err)
		second.started = started
	}
	return second.started
}

// AuditLog returns the audit log of the control plane. It skips the test on an existing cluster, whose log it cannot
// read.
func AuditLog(t testing.TB) *testcluster.AuditLog {
	t.Helper()
	if leavesOut(t, t.Name()) {
		t.Skip("the audit log of an existing cluster is out of reach")
	}
	return ControlPlane().AuditLog()
}

// leavesOut reports whether the tests use an existing cluster, and records what is left out on it.
func leavesOut(t testing.TB, what string) bool {
	t.Helper()
	if ControlPlane().IsOurs() {
		return false
	}
	Must(t, ControlPlane().LeaveOut(what))
	return true
}

// SkipUnlessAcceptance skips a test that needs the control plane if TF_ACC is not set.
func SkipUnlessAcceptance(t *testing.T) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
}

// Must ends the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
