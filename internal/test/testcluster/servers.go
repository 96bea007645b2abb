package testcluster

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// auditPolicy records who did what to which object, without bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: Metadata
`

// startAPIServer starts etcd and kube-apiserver.
func (c *ControlPlane) startAPIServer(ctx context.Context, binaries Binaries) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	plane, err := c.configureAPIServer(binaries)
	if err != nil {
		return err
	}
	if err := plane.Start(); err != nil {
		return errors.Join(fmt.Errorf("start etcd and kube-apiserver: %w", err),
			c.logTail("etcd"), c.logTail("kube-apiserver"))
	}
	c.envtest = plane
	c.server = serverConfig(plane.APIServer.SecureServing.URL("https", "/").String(), plane.APIServer.CA)
	return nil
}

func (c *ControlPlane) configureAPIServer(binaries Binaries) (*envtest.ControlPlane, error) {
	etcd, err := c.watchdog.launcher(binaries.Etcd)
	if err != nil {
		return nil, err
	}
	apiServer, err := c.watchdog.launcher(binaries.APIServer)
	if err != nil {
		return nil, err
	}
	policy := filepath.Join(c.dir, "audit-policy.yaml")
	certs, data := filepath.Join(c.dir, "certs"), filepath.Join(c.dir, "etcd")
	err = errors.Join(
		os.WriteFile(policy, []byte(auditPolicy), 0o600),
		os.WriteFile(c.auditPath(), nil, 0o600),
		os.Mkdir(certs, 0o700), os.Mkdir(data, 0o700))
	if err != nil {
		return nil, fmt.Errorf("prepare kube-apiserver: %w", err)
	}
	if c.users, err = newSigner(c.dir); err != nil {
		return nil, err
	}
	etcdLog, err := c.openLog("etcd")
	if err != nil {
		return nil, err
	}
	serverLog, err := c.openLog("kube-apiserver")
	if err != nil {
		return nil, err
	}
	plane := &envtest.ControlPlane{
		Etcd: &envtest.Etcd{Path: etcd, DataDir: data, Out: etcdLog, Err: etcdLog, StartTimeout: startTimeout},
		APIServer: &envtest.APIServer{Path: apiServer, CertDir: certs, Out: serverLog, Err: serverLog,
			StartTimeout: startTimeout, SecureServing: envtest.SecureServing{Authn: c.users}},
	}
	plane.Etcd.Configure().Set("unsafe-no-fsync", "true")
	plane.APIServer.Configure().
		Set("advertise-address", "127.0.0.1").
		Set("endpoint-reconciler-type", "none").
		Set("authorization-mode", "RBAC").
		// envtest disables the ServiceAccount admission plugin, because it runs no controllers. Here they run.
		Disable("disable-admission-plugins").
		Set("audit-policy-file", policy).
		Set("audit-log-path", c.auditPath()).
		Set("audit-log-mode", "blocking").
		// In megabytes: the log must not be rotated while tests hold positions in it. 0 means 100 before Kubernetes
		// 1.36.
		Set("audit-log-maxsize", "1000000")
	return plane, nil
}

// failures are kwok's stages for pods that cannot start.
//
//go:embed failures.yaml
var failures []byte

// startControllers starts the servers that are clients of the API server.
func (c *ControlPlane) startControllers(binaries Binaries) error {
	certs := c.envtest.APIServer.CertDir
	rootCA := filepath.Join(certs, "root-ca.crt")
	if err := os.WriteFile(rootCA, c.envtest.APIServer.CA, 0o600); err != nil {
		return fmt.Errorf("write the root certificate: %w", err)
	}
	stages := filepath.Join(c.dir, "failures.yaml")
	if err := os.WriteFile(stages, failures, 0o600); err != nil {
		return fmt.Errorf("write the stages of failures: %w", err)
	}
	return errors.Join(
		c.startController(binaries.ControllerManager, "system:kube-controller-manager", nil,
			"--leader-elect=false", "--secure-port=0", "--bind-address=127.0.0.1",
			"--use-service-account-credentials",
			"--service-account-private-key-file="+filepath.Join(certs, "sa-signer.key"),
			"--root-ca-file="+rootCA,
			"--kube-api-qps=200", "--kube-api-burst=400",
			// On a busy machine, heartbeats of nodes come late.
			"--node-monitor-grace-period=10m", "--node-startup-grace-period=10m",
			"--horizontal-pod-autoscaler-sync-period=3s"),
		c.startController(binaries.Scheduler, "system:kube-scheduler", nil,
			"--leader-elect=false", "--secure-port=0", "--bind-address=127.0.0.1"),
		// Without a node port, kwok listens on no port.
		c.startController(binaries.Kwok, "kwok", []string{"system:masters"},
			"--manage-all-nodes=true", "--config="+binaries.Stages, "--config="+stages, "--node-port=0"),
	)
}

// startController starts one server with a kubeconfig for a user of its own.
func (c *ControlPlane) startController(binary, user string, groups []string, flags ...string) error {
	kubeconfig, err := c.writeKubeconfig(filepath.Base(binary), user, groups...)
	if err != nil {
		return err
	}
	return c.startProgram(binary, nil, append([]string{"--kubeconfig=" + kubeconfig}, flags...)...)
}

// writeKubeconfig writes a kubeconfig of a user for a program, and returns its path.
func (c *ControlPlane) writeKubeconfig(program, user string, groups ...string) (string, error) {
	config, err := c.User(user, groups...)
	if err != nil {
		return "", err
	}
	kubeconfig, err := KubeconfigOf(config)
	if err != nil {
		return "", err
	}
	path := filepath.Join(c.dir, program+".kubeconfig")
	if err := os.WriteFile(path, kubeconfig, 0o600); err != nil {
		return "", fmt.Errorf("start %s: %w", program, err)
	}
	return path, nil
}

// startProgram starts a program that ends with the control plane. env is added to the environment of this process.
func (c *ControlPlane) startProgram(binary string, env []string, args ...string) error {
	name := filepath.Base(binary)
	launcher, err := c.watchdog.launcher(binary)
	if err != nil {
		return err
	}
	log, err := c.openLog(name)
	if err != nil {
		return err
	}
	cmd := exec.Command(launcher, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, log, log
	cmd.Env = append(os.Environ(), env...)
	ownProcessGroup(cmd)
	started, err := startChild(name, cmd, c.watchdog)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	c.children = append(c.children, started)
	return nil
}

// openLog creates a server's log file. The server's process inherits it and keeps it open.
func (c *ControlPlane) openLog(name string) (*os.File, error) {
	file, err := os.Create(c.logPath(name))
	if err != nil {
		return nil, fmt.Errorf("create the log of %s: %w", name, err)
	}
	return file, nil
}

func (c *ControlPlane) logPath(name string) string { return filepath.Join(c.LogDir(), name+".log") }

// logTailBytes is how much of a log an error shows.
const logTailBytes = 4 << 10

// logTail returns an error with the end of a server's log, or with the reason why it cannot be read.
func (c *ControlPlane) logTail(name string) error {
	text, err := os.ReadFile(c.logPath(name))
	if err != nil {
		return fmt.Errorf("read the log of %s: %w", name, err)
	}
	if len(text) > logTailBytes {
		text = text[len(text)-logTailBytes:]
	}
	return fmt.Errorf("the end of the log of %s:\n%s", name, text)
}

// kubeconfigContext is the name of the cluster, the user and the context of the first user of a kubeconfig.
const kubeconfigContext = "k8sconnect-test"

// KubeconfigOf writes the client configurations of users, as User returns them, as a kubeconfig with
// a context for each. The first one is the current context, "k8sconnect-test"; the next are "k8sconnect-test-1"
// and so on.
func KubeconfigOf(users ...*rest.Config) ([]byte, error) {
	out := clientcmdapi.NewConfig()
	for i, user := range users {
		name := kubeconfigContext
		if i > 0 {
			name = fmt.Sprintf("%s-%d", kubeconfigContext, i)
		}
		out.Clusters[name] = &clientcmdapi.Cluster{
			Server: user.Host, CertificateAuthorityData: user.CAData, TLSServerName: user.ServerName,
			InsecureSkipTLSVerify: user.Insecure,
		}
		out.AuthInfos[name] = &clientcmdapi.AuthInfo{
			ClientCertificateData: user.CertData, ClientKeyData: user.KeyData, Token: user.BearerToken,
			Impersonate: user.Impersonate.UserName, ImpersonateGroups: user.Impersonate.Groups,
		}
		out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	}
	out.CurrentContext = kubeconfigContext
	text, err := clientcmd.Write(*out)
	if err != nil {
		return nil, fmt.Errorf("write a kubeconfig: %w", err)
	}
	return text, nil
}

// child is a server that this process started and waits for.
type child struct {
	name string
	cmd  *exec.Cmd
	// ended is closed when the server has ended, after err has been set.
	ended chan struct{}
	err   error
}

func startChild(name string, cmd *exec.Cmd, guard *watchdog) (*child, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	started := &child{name: name, cmd: cmd, ended: make(chan struct{})}
	go func() {
		started.err = cmd.Wait()
		guard.forget(name)
		close(started.ended)
	}()
	return started, nil
}

// stopGrace is how long a server may take to end before it is killed. It has nothing to save.
const stopGrace = time.Second

// stop ends the server and waits until it is gone. How it exits does not matter then.
func (s *child) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(stopGrace):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
}
