package testcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Options are the options of Start. The zero value builds what it lacks, in silence.
type Options struct {
	// Binaries are the servers to start. The zero value means those that Build returns.
	Binaries Binaries
	// Progress gets the lines of Build. Nil is silent.
	Progress io.Writer
}

// ControlPlane is a running control plane that listens on the loopback interface only: etcd,
// kube-apiserver, kube-controller-manager, kube-scheduler, and kwok, which simulates one node.
type ControlPlane struct {
	dir        string
	version    string
	watchdog   *watchdog
	envtest    *envtest.ControlPlane
	children   []*child
	admin      *rest.Config
	kubeconfig []byte
	users      *signer
	// server is a client configuration without a user.
	server *rest.Config
	stop   func() error
}

// startTimeout bounds a start, also on a machine that compiles at the same time.
const startTimeout = 2 * time.Minute

// Start starts a control plane and returns when its node is ready and pods can be admitted to the default
// namespace. An error contains the end of the log of the server that failed. After an error, nothing is left
// running. The servers die with this process, however it ends; Stop ends them earlier.
func Start(ctx context.Context, opts Options) (*ControlPlane, error) {
	if opts.Binaries == (Binaries{}) {
		built, err := Build(ctx, opts.Progress)
		if err != nil {
			return nil, err
		}
		opts.Binaries = built
	}
	dir, err := os.MkdirTemp("", "k8sconnect-cluster-")
	if err != nil {
		return nil, fmt.Errorf("create the control plane's directory: %w", err)
	}
	guard, err := startWatchdog(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the watchdog: %w", err), os.RemoveAll(dir))
	}
	c := &ControlPlane{dir: dir, version: opts.Binaries.Version, watchdog: guard}
	c.stop = sync.OnceValue(c.stopAll)

	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := c.start(ctx, opts.Binaries); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) start(ctx context.Context, binaries Binaries) error {
	if err := c.startAPIServer(ctx, binaries); err != nil {
		return err
	}
	admin, err := c.User("k8sconnect-test-admin", "system:masters")
	if err != nil {
		return err
	}
	c.admin = admin
	if c.kubeconfig, err = KubeconfigOf(admin); err != nil {
		return err
	}
	if err := os.WriteFile(c.KubeconfigPath(), c.kubeconfig, 0o600); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	if err := c.startControllers(binaries); err != nil {
		return err
	}
	return c.awaitReady(ctx)
}

// Stop ends every server that Start started, kills those that do not end in time, and removes the
// control plane's directory. Calling it again returns the first result.
func (c *ControlPlane) Stop() error { return c.stop() }

func (c *ControlPlane) stopAll() error {
	var wg sync.WaitGroup
	for _, started := range c.children {
		wg.Go(started.stop)
	}
	wg.Wait()
	if c.envtest == nil {
		return c.watchdog.release()
	}
	if err := c.envtest.Stop(); err != nil {
		return errors.Join(err, c.watchdog.release())
	}
	c.watchdog.forget("kube-apiserver")
	c.watchdog.forget("etcd")
	return c.watchdog.release()
}

// Kubeconfig returns the kubeconfig of a cluster administrator. Its one context is "k8sconnect-test".
func (c *ControlPlane) Kubeconfig() []byte { return append([]byte(nil), c.kubeconfig...) }

// KubeconfigPath returns the file that holds Kubeconfig until Stop.
func (c *ControlPlane) KubeconfigPath() string { return filepath.Join(c.dir, "kubeconfig") }

// RESTConfig returns a new client configuration for the administrator of Kubeconfig, without a client-side
// rate limit.
func (c *ControlPlane) RESTConfig() *rest.Config { return rest.CopyConfig(c.admin) }

// Version returns the Kubernetes version, "v1.36.3" for instance.
func (c *ControlPlane) Version() string { return c.version }

// Serves reports whether the API server serves a resource in an API version, "configmaps" in "v1" for instance.
func (c *ControlPlane) Serves(version, resource string) (bool, error) {
	client, err := discovery.NewDiscoveryClientForConfig(c.admin)
	if err != nil {
		return false, err
	}
	served, err := client.ServerResourcesForGroupVersion(version)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(served.APIResources, func(r metav1.APIResource) bool { return r.Name == resource }), nil
}

// LogDir returns the directory with one log file per server, until Stop.
func (c *ControlPlane) LogDir() string { return filepath.Join(c.dir, "logs") }

// User signs a client certificate for a user in groups and returns a client configuration for it. RBAC decides
// what the user may do: without groups and bindings, no more than any authenticated user. On an existing cluster, the
// administrator impersonates the user.
func (c *ControlPlane) User(name string, groups ...string) (*rest.Config, error) {
	if !c.IsOurs() {
		config := c.RESTConfig()
		config.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: groups}
		return config, nil
	}
	return c.users.AddUser(envtest.User{Name: name, Groups: groups}, c.server)
}

// AuditLog returns the record of every request that the API server got since its start.
func (c *ControlPlane) AuditLog() *AuditLog { return newAuditLog(c.auditPath()) }

func (c *ControlPlane) auditPath() string { return filepath.Join(c.dir, "audit.log") }
