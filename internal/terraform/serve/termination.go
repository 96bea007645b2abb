package serve

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

// outliveTermination keeps a provider that a CLI has started alive after a SIGTERM. Pipelines and timeout(1) send it to
// all processes of a run: the CLI then stops what its providers do, and needs their answers for the state. The provider
// ends as soon as the CLI has ended, or is gone.
func outliveTermination() {
	if os.Getenv(startedByCLI) == "" {
		return
	}
	cli := os.Getppid()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		<-signals
		for os.Getppid() == cli {
			time.Sleep(time.Second)
		}
		connect.StopPlugins()
		signal.Reset(syscall.SIGTERM)
		if provider, err := os.FindProcess(os.Getpid()); err == nil {
			_ = provider.Signal(syscall.SIGTERM)
		}
	}()
}

// startedByCLI is an environment variable that the CLI sets for its plugins.
const startedByCLI = "TF_PLUGIN_MAGIC_COOKIE"
