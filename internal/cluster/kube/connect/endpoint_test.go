package connect

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

func TestEndpoint(t *testing.T) {
	t.Parallel()
	pem := newPair(t)
	type seen struct {
		Host, Namespace, Token, ServerName, Proxy string
		CA, Certificate                           bool
		Insecure                                  bool
		QPS                                       float32
		Burst                                     int
	}
	cases := map[string]struct {
		config Config
		opts   Options
		want   seen
	}{
		"a kubeconfig gives its server, token and namespace": {
			config: Config{Kubeconfig: twoContexts},
			want:   seen{Host: "https://api.example.com:6443", Namespace: "payments", Token: "kubeconfig-token", QPS: -1},
		},
		"a context without a namespace means default": {
			config: Config{Kubeconfig: twoContexts, Context: "dev"},
			want:   seen{Host: "https://api.example.com:6443", Namespace: "default", Token: "kubeconfig-token", QPS: -1},
		},
		"settings beside a kubeconfig override it": {
			config: Config{Kubeconfig: twoContexts, ProxyURL: "http://proxy:3128", TLSServerName: "kubernetes", Insecure: true},
			want: seen{
				Host: "https://api.example.com:6443", Namespace: "payments", Token: "kubeconfig-token",
				ServerName: "kubernetes", Proxy: "http://proxy:3128", Insecure: true, QPS: -1,
			},
		},
		"a host takes a token without its newline": {
			config: Config{Host: "https://h:6443", Token: "t\n", ClusterCACertificate: pem.certificate},
			want:   seen{Host: "https://h:6443", Namespace: "default", Token: "t", CA: true, QPS: -1},
		},
		"a host takes a client certificate": {
			config: Config{Host: "https://h/k8s/clusters/c-1", ClientCertificate: pem.certificate, ClientKey: pem.key},
			want:   seen{Host: "https://h/k8s/clusters/c-1", Namespace: "default", Certificate: true, QPS: -1},
		},
		"a rate limit bursts to its rate rounded up": {
			config: Config{Host: "https://h", Token: "t"},
			opts:   Options{QPS: 2.5},
			want:   seen{Host: "https://h", Namespace: "default", Token: "t", QPS: 2.5, Burst: 3},
		},
		"a rate limit takes its own burst": {
			config: Config{Host: "https://h", Token: "t"},
			opts:   Options{QPS: 5, Burst: 50},
			want:   seen{Host: "https://h", Namespace: "default", Token: "t", QPS: 5, Burst: 50},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.opts.Version = "1.2.3"
			target, err := tc.config.endpoint(tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			c := target.REST
			got := seen{
				Host: c.Host, Namespace: target.Namespace, Token: c.BearerToken, ServerName: c.ServerName,
				CA: len(c.CAData) > 0, Certificate: len(c.CertData) > 0, Insecure: c.Insecure, QPS: c.QPS, Burst: c.Burst,
			}
			if c.Proxy != nil {
				proxy, err := c.Proxy(&http.Request{})
				if err != nil {
					t.Fatal(err)
				}
				got.Proxy = proxy.String()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("endpoint (-want +got):\n%s", diff)
			}
			if c.UserAgent != "terraform-provider-k8sconnect/1.2.3" {
				t.Errorf("User-Agent %q", c.UserAgent)
			}
		})
	}
}

func TestEndpointOfCredentialPlugin(t *testing.T) {
	t.Parallel()
	target, err := Config{Host: "https://h", Exec: &ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1beta1",
		Command:    "aws",
		Args:       []string{"eks", "get-token"},
		Env:        map[string]string{"B": "2", "A": "1"},
	}}.endpoint(Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := target.REST.ExecProvider
	want := &clientcmdapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1beta1", Command: "aws", Args: []string{"eks", "get-token"},
		Env:             []clientcmdapi.ExecEnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}},
		InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("plugin (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Env, got.Env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestConfigPathExpandsHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	relative := strings.ReplaceAll(twoContexts, `server: "https`, `certificate-authority: ca.pem, server: "https`)
	for name, content := range map[string]string{"config": relative, "ca.pem": newPair(t).certificate} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	target, err := Config{ConfigPath: "~/config"}.endpoint(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(home, "ca.pem"); target.REST.CAFile != want {
		t.Errorf("CA file: want %s, got %s", want, target.REST.CAFile)
	}
}

func TestEndpointNeverFallsBack(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(twoContexts), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", path)
	if target, err := (Config{}).endpoint(Options{}); err == nil {
		t.Errorf("want an error, got a connection to %s", target.REST.Host)
	}
}
