package testcluster

import (
	"errors"
	"fmt"
	"os"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

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
