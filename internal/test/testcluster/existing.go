package testcluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// EnvKubeconfig names the kubeconfig of an existing cluster for tests, that of kind or k3d for instance. They use the
// cluster of its current context instead of a control plane of their own.
const EnvKubeconfig = "K8SCONNECT_TEST_KUBECONFIG"

// leftOutFile is the file with what tests have left out, a line for each.
const leftOutFile = "left-out"

// Use returns the existing cluster of a kubeconfig. Its user has to be an administrator, with a certificate or a token.
// Other users are impersonated. It has no audit log, and its servers cannot be restarted or paused. Stop reports what
// the tests have left out.
func Use(kubeconfig string, report io.Writer) (*ControlPlane, error) {
	admin, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("use the cluster of %s=%s: %w", EnvKubeconfig, kubeconfig, err)
	}
	if err := rest.LoadTLSFiles(admin); err != nil {
		return nil, fmt.Errorf("use the cluster of %s=%s: %w", EnvKubeconfig, kubeconfig, err)
	}
	text, err := KubeconfigOf(admin)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "k8sconnect-cluster-")
	if err != nil {
		return nil, fmt.Errorf("create the directory of the cluster: %w", err)
	}
	c := &ControlPlane{dir: dir}
	c.stop = sync.OnceValue(func() error {
		c.reportLeftOut(report)
		return os.RemoveAll(dir)
	})
	if err := errors.Join(os.WriteFile(c.KubeconfigPath(), text, 0o600), c.attach()); err != nil {
		return nil, errors.Join(fmt.Errorf("use the cluster of %s=%s: %w", EnvKubeconfig, kubeconfig, err), c.Stop())
	}
	return c, nil
}

// IsOurs reports whether tests have started the control plane. They can read its audit log, and may stop its servers.
func (c *ControlPlane) IsOurs() bool { return c.users != nil }

// LeaveOut records what a test leaves out on an existing cluster, "requests counted by TestX" for instance.
func (c *ControlPlane) LeaveOut(what string) error {
	file, err := os.OpenFile(filepath.Join(c.dir, leftOutFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(what + "\n")
	return errors.Join(err, file.Close())
}

// reportLeftOut prints what the tests have left out.
func (c *ControlPlane) reportLeftOut(to io.Writer) {
	text, err := os.ReadFile(filepath.Join(c.dir, leftOutFile))
	if err != nil {
		return
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	lines = slices.Compact(lines)
	_, _ = fmt.Fprintf(to, "NOT CHECKED, because the cluster is not one that the tests have started:\n  %s\n",
		strings.Join(lines, "\n  "))
}

// EnvDir names the directory of a control plane that tests attach to instead of starting one.
const EnvDir = "K8SCONNECT_TEST_CLUSTER"

// Dir returns the directory of the control plane, for [Attach].
func (c *ControlPlane) Dir() string { return c.dir }

// Attach returns the running control plane of another process. Its Stop does nothing, and its servers cannot be
// restarted or paused.
func Attach(dir string) (*ControlPlane, error) {
	c := &ControlPlane{dir: dir, stop: func() error { return nil }}
	if err := c.attach(); err != nil {
		return nil, fmt.Errorf("attach to the control plane in %s: %w", dir, err)
	}
	return c, nil
}

func (c *ControlPlane) attach() (err error) {
	c.users, err = readSigner(c.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // An existing cluster has none.
		return err
	}
	if c.kubeconfig, err = os.ReadFile(c.KubeconfigPath()); err != nil {
		return err
	}
	if c.admin, err = clientcmd.RESTConfigFromKubeConfig(c.kubeconfig); err != nil {
		return err
	}
	c.admin.QPS = -1
	c.server = serverConfig(c.admin.Host, c.admin.CAData)
	client, err := discovery.NewDiscoveryClientForConfig(c.admin)
	if err != nil {
		return err
	}
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	c.version = version.GitVersion
	return nil
}

// serverConfig returns a client configuration without a user and without a client-side rate limit.
func serverConfig(host string, authority []byte) *rest.Config {
	return &rest.Config{Host: host, TLSClientConfig: rest.TLSClientConfig{CAData: authority}, QPS: -1}
}
