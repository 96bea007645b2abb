package connect

import (
	"context"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// dialTimeout is how long a connection may take to open. The objects of a cluster that is down wait that long. They
// also hold up objects of other clusters, because the CLI handles ten objects at a time.
const dialTimeout = 10 * time.Second

// Options are what all clients of a process share.
type Options struct {
	// Version is the provider's, for the User-Agent.
	Version string
	// QPS limits the requests per second that one client sends; 0 means no limit, and leaves the pace to the server's
	// priority and fairness.
	QPS float32
	// Burst is how many requests may exceed QPS at once; 0 is QPS rounded up.
	Burst int
}

// Endpoint is a Config translated for client-go.
type Endpoint struct {
	// REST is the configuration of client-go.
	REST *rest.Config
	// Namespace is the Config's own, else the context's, else "default".
	Namespace string
	// Source shows which of them Namespace is.
	Source cluster.NamespaceSource
	// SecurityWarnings are the problems of a connection that works, but that other hosts on the network could read,
	// each at its attribute.
	SecurityWarnings []FieldProblem
}

// endpoint builds the client-go configuration, without a token from a file that c names. It uses the values of c and
// nothing else: no $KUBECONFIG, no localhost. The error is a *ConfigError.
func (c Config) endpoint(opts Options) (Endpoint, error) {
	raw, problems := c.kubeconfig()
	if len(problems) > 0 {
		return Endpoint{}, &ConfigError{Problems: problems}
	}
	clientConfig := clientcmd.NewNonInteractiveClientConfig(*raw, raw.CurrentContext, c.overrides(), nil)
	config, err := clientConfig.ClientConfig()
	if err != nil {
		return Endpoint{}, Unusable(err)
	}
	namespace, _, err := clientConfig.Namespace()
	if err != nil {
		return Endpoint{}, Unusable(err)
	}

	config.UserAgent = "terraform-provider-k8sconnect/" + opts.Version
	config.Dial = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	// For client-go, 0 means its default of 5 requests a second, and a negative number no limit.
	config.QPS, config.Burst = -1, 0
	if opts.QPS > 0 {
		config.QPS, config.Burst = opts.QPS, opts.Burst
		if opts.Burst == 0 {
			config.Burst = int(math.Ceil(float64(opts.QPS)))
		}
		// All clients of the connection share one limit.
		config.RateLimiter = limiter{flowcontrol.NewTokenBucketRateLimiter(config.QPS, config.Burst)}
	}
	// Warnings belong to the answer that they came with; the default handler would log them.
	config.WarningHandlerWithContext = rest.NoWarnings{}
	return Endpoint{
		REST: config, Namespace: namespace, Source: c.namespaceSource(raw),
		SecurityWarnings: c.securityWarnings(raw, config),
	}, nil
}

// limiter limits the requests per second.
type limiter struct{ flowcontrol.RateLimiter }

// Wait returns a *cluster.ThrottledError if ctx would end before the request may be sent.
func (l limiter) Wait(ctx context.Context) error {
	err := l.RateLimiter.Wait(ctx)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &cluster.ThrottledError{QPS: l.QPS()}
}

func (c Config) namespaceSource(raw *clientcmdapi.Config) cluster.NamespaceSource {
	context := raw.Contexts[raw.CurrentContext]
	switch {
	case c.Namespace != "":
		return cluster.NamespaceConfigured
	case context != nil && context.Namespace != "":
		return cluster.NamespaceOfContext
	default:
		return cluster.NamespaceAssumed
	}
}

// Server returns the URL of the API server that c leads to. It reads the file that c names and sends nothing.
// The error is a *ConfigError.
func (c Config) Server() (string, error) {
	target, err := c.endpoint(Options{})
	if err != nil {
		return "", err
	}
	server, err := serverURL(target.REST)
	if err != nil {
		return "", Unusable(err)
	}
	server.User = nil // It can have a password.
	return strings.TrimSuffix(server.String(), "/"), nil
}

// kubeconfig returns c as a kubeconfig, whichever way it reaches the cluster.
func (c Config) kubeconfig() (*clientcmdapi.Config, []FieldProblem) {
	if problems := c.ValidateShape(); len(problems) > 0 {
		return nil, problems
	}
	switch {
	case c.Kubeconfig != "":
		return c.loadKubeconfig()
	case c.ConfigPath != "":
		return c.loadConfigPath()
	case c.InCluster:
		return podKubeconfig(serviceAccountDirectory, os.Getenv)
	default:
		return c.hostKubeconfig(), nil
	}
}

func (c Config) hostKubeconfig() *clientcmdapi.Config {
	cluster, user := clientcmdapi.NewCluster(), clientcmdapi.NewAuthInfo()
	cluster.Server = c.Host
	// Validation has read the certificates already: an error here means an empty attribute.
	cluster.CertificateAuthorityData, _ = decodePEM(c.ClusterCACertificate)
	user.ClientCertificateData, _ = decodePEM(c.ClientCertificate)
	user.ClientKeyData, _ = decodePEM(c.ClientKey)
	// A token read from a file ends in a newline, which no HTTP header may hold.
	user.Token = strings.TrimSpace(c.Token)
	if c.Exec != nil {
		user.Exec = c.Exec.clientcmd()
	}
	return kubeconfigOf(cluster, user, "")
}

func kubeconfigOf(cluster *clientcmdapi.Cluster, user *clientcmdapi.AuthInfo, namespace string) *clientcmdapi.Config {
	const name = "only"
	context := clientcmdapi.NewContext()
	context.Cluster, context.AuthInfo, context.Namespace = name, name, namespace

	raw := clientcmdapi.NewConfig()
	raw.Clusters[name], raw.AuthInfos[name], raw.Contexts[name] = cluster, user, context
	raw.CurrentContext = name
	return raw
}

// overrides returns the settings that go with any way to reach the cluster.
func (c Config) overrides() *clientcmd.ConfigOverrides {
	return &clientcmd.ConfigOverrides{
		ClusterInfo: clientcmdapi.Cluster{
			ProxyURL: c.ProxyURL, TLSServerName: c.TLSServerName, InsecureSkipTLSVerify: c.Insecure,
		},
		Context: clientcmdapi.Context{Namespace: c.Namespace},
	}
}

// path returns the command, as an absolute path if it contains a separator: client-go drops the ./ of a relative path,
// and looks for the rest on the PATH.
func (e *ExecConfig) path() string {
	if !strings.ContainsRune(e.Command, filepath.Separator) {
		return e.Command
	}
	absolute, err := filepath.Abs(e.Command)
	if err != nil {
		return e.Command
	}
	return absolute
}

func (e *ExecConfig) clientcmd() *clientcmdapi.ExecConfig {
	plugin := &clientcmdapi.ExecConfig{
		APIVersion: e.APIVersion, Command: e.path(), Args: slices.Clone(e.Args),
		InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
	for name, value := range e.Env {
		plugin.Env = append(plugin.Env, clientcmdapi.ExecEnvVar{Name: name, Value: value})
	}
	slices.SortFunc(plugin.Env, func(a, b clientcmdapi.ExecEnvVar) int { return strings.Compare(a.Name, b.Name) })
	return plugin
}
