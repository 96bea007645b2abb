package connect

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("good", twoContexts)
	mine, other := newPair(t), newPair(t)
	plugin := &ExecConfig{APIVersion: "client.authentication.k8s.io/v1", Command: "aws"}
	const host = "https://api.example.com"

	// want lists the attributes with a problem, each followed by a part of its text.
	cases := map[string]struct {
		config Config
		want   [][2]string
	}{
		"a kubeconfig alone is enough":             {Config{Kubeconfig: twoContexts}, nil},
		"a kubeconfig file alone is enough":        {Config{ConfigPath: file}, nil},
		"a context of the kubeconfig may be named": {Config{ConfigPath: file, Context: "dev"}, nil},
		"a host with a token is enough":            {Config{Host: host, Token: "t"}, nil},
		"a host with a client certificate is enough": {
			Config{Host: host, ClientCertificate: mine.certificate, ClientKey: mine.key},
			nil,
		},
		"a host with a credential plugin is enough": {Config{Host: host, Exec: plugin}, nil},
		"a host with the file of a token is enough": {Config{Host: host, TokenFile: write("token", "t\n")}, nil},
		"a plain http host needs no credentials":    {Config{Host: "http://127.0.0.1:8001"}, nil},
		"certificates may be base64 of PEM": {
			Config{Host: host, Token: "t", ClusterCACertificate: base64.StdEncoding.EncodeToString([]byte(mine.certificate))},
			nil,
		},
		"proxy, server name and insecure go with any form": {
			Config{Kubeconfig: twoContexts, ProxyURL: "socks5://p:1080", TLSServerName: "x", Insecure: true},
			nil,
		},

		"nothing says how to reach the cluster": {
			Config{},
			[][2]string{{"", "none of `kubeconfig`, `config_path`, `host` and `in_cluster` is set"}},
		},
		"a kubeconfig and a path are two ways": {
			Config{Kubeconfig: twoContexts, ConfigPath: file},
			[][2]string{{"config_path", "together with `kubeconfig`"}},
		},
		"a path and a host are two ways": {
			Config{ConfigPath: file, Host: host, Token: "t"},
			[][2]string{{"host", "together with `config_path`"}},
		},
		"a context needs a kubeconfig": {
			Config{Host: host, Token: "t", Context: "prod"},
			[][2]string{{"context", "no kubeconfig"}},
		},
		"a host needs credentials": {Config{Host: host}, [][2]string{{"host", "without credentials"}}},
		"a token and a plugin are two credentials": {
			Config{Host: host, Token: "t", Exec: plugin},
			[][2]string{{"exec", "together with `token`"}},
		},
		"a token and its file are two credentials": {
			Config{Host: host, Token: "t", TokenFile: "token"},
			[][2]string{{"token_file", "together with `token`"}},
		},
		"a token file and a plugin are two": {
			Config{Host: host, TokenFile: "token", Exec: plugin},
			[][2]string{{"exec", "together with `token_file`"}},
		},
		"a token file and a certificate are two": {
			Config{Host: host, TokenFile: "token", ClientCertificate: mine.certificate, ClientKey: mine.key},
			[][2]string{{"client_certificate", "together with `token_file`"}},
		},
		"a token file over plain http": {
			Config{Host: "http://x", TokenFile: "token"},
			[][2]string{{"token_file", "never be sent"}},
		},
		"a token file beside a path is refused": {
			Config{ConfigPath: file, TokenFile: "token"},
			[][2]string{{"token_file", "`config_path`, which has its own"}},
		},
		"a token file that is not there": {
			Config{Host: host, TokenFile: filepath.Join(dir, "none")},
			[][2]string{{"token_file", filepath.Join(dir, "none") + `", and there is no such file`}},
		},
		"a token file that is a directory": {
			Config{Host: host, TokenFile: dir},
			[][2]string{{"token_file", "which cannot be read: is a directory"}},
		},
		"a token file that is empty": {
			Config{Host: host, TokenFile: write("empty", "\n")},
			[][2]string{{"token_file", "which is empty"}},
		},
		"a token file with a kubeconfig": {
			Config{Host: host, TokenFile: file},
			[][2]string{{"token_file", "which has more than a bearer token"}},
		},
		"the pod and a path are two ways": {
			Config{ConfigPath: file, InCluster: true},
			[][2]string{{"in_cluster", "together with `config_path`"}},
		},
		"the pod and a host are two ways": {
			Config{Host: host, Token: "t", InCluster: true},
			[][2]string{{"in_cluster", "together with `host`"}},
		},
		"the pod has its own token": {
			Config{InCluster: true, Token: "t"},
			[][2]string{{"token", "`in_cluster`, which has its own"}},
		},
		"the pod has its own authority": {
			Config{InCluster: true, ClusterCACertificate: mine.certificate},
			[][2]string{{"cluster_ca_certificate", "`in_cluster`, which has its own"}},
		},
		"the pod has no context": {
			Config{InCluster: true, Context: "prod"},
			[][2]string{{"context", "no kubeconfig"}},
		},
		"a token over plain http would never be sent": {
			Config{Host: "http://x", Token: "t"},
			[][2]string{{"token", "never be sent"}},
		},
		"a host without a scheme is told to have one": {
			Config{Host: "1.2.3.4:6443", Token: "t"},
			[][2]string{{"host", "https://1.2.3.4:6443"}},
		},
		"a host with another scheme is refused": {
			Config{Host: "ftp://x", Token: "t"},
			[][2]string{{"host", "absolute http or https"}},
		},
		"a host with a password is refused": {
			Config{Host: "https://me:pw@x", Token: "t"},
			[][2]string{{"host", "user name or password"}},
		},
		"a host with a query is refused": {
			Config{Host: "https://x/?a=b", Token: "t"},
			[][2]string{{"host", "query"}},
		},
		"a token beside a kubeconfig is refused": {
			Config{Kubeconfig: twoContexts, Token: "t"},
			[][2]string{{"token", "is used with `host`"}},
		},
		"a CA beside a path is refused": {
			Config{ConfigPath: file, ClusterCACertificate: mine.certificate},
			[][2]string{{"cluster_ca_certificate", "`config_path`"}},
		},
		"a certificate without its key is refused": {
			Config{Host: host, ClientCertificate: mine.certificate},
			[][2]string{{"client_certificate", "without `client_key`"}},
		},
		"a key without its certificate is refused": {
			Config{Host: host, ClientKey: mine.key},
			[][2]string{{"client_key", "without `client_certificate`"}},
		},
		"a key of another certificate is refused": {
			Config{Host: host, ClientCertificate: mine.certificate, ClientKey: other.key},
			[][2]string{{"client_key", "not a pair"}},
		},
		"a client certificate that is no PEM": {
			Config{Host: host, ClientCertificate: "x!", ClientKey: mine.key},
			[][2]string{{"client_certificate", "PEM"}},
		},
		"a CA that is no PEM": {
			Config{Host: host, Token: "t", ClusterCACertificate: "bm9wZQ=="},
			[][2]string{{"cluster_ca_certificate", "PEM"}},
		},
		"a CA that is a key": {
			Config{Host: host, Token: "t", ClusterCACertificate: mine.key},
			[][2]string{{"cluster_ca_certificate", "PEM"}},
		},
		"insecure and a CA contradict each other": {
			Config{Host: host, Token: "t", ClusterCACertificate: mine.certificate, Insecure: true},
			[][2]string{{"insecure", "never be used"}},
		},
		"a proxy of another scheme is refused": {
			Config{Host: host, Token: "t", ProxyURL: "ftp://p"},
			[][2]string{{"proxy_url", "socks5"}},
		},
		"a proxy that is no URL is refused": {
			Config{Host: host, Token: "t", ProxyURL: "://"},
			[][2]string{{"proxy_url", "socks5"}},
		},
		"a plugin needs a command and a version": {
			Config{Host: host, Exec: &ExecConfig{}},
			[][2]string{{"exec.command", "empty"}, {"exec.api_version", "empty"}},
		},
		"a plugin of a version that is no more": {
			Config{Host: host, Exec: &ExecConfig{Command: "aws", APIVersion: "client.authentication.k8s.io/v1alpha1"}},
			[][2]string{{"exec.api_version", "v1beta1"}},
		},
		"a path in kubeconfig is told to go elsewhere": {
			Config{Kubeconfig: "~/.kube/config"},
			[][2]string{{"kubeconfig", "config_path"}},
		},
		"an empty kubeconfig": {
			Config{Kubeconfig: "{}"},
			[][2]string{{"kubeconfig", "not the content"}},
		},
		"a file that is not there": {
			Config{ConfigPath: filepath.Join(dir, "none")},
			[][2]string{{"config_path", "no such file"}},
		},
		"a directory instead of a file": {
			Config{ConfigPath: dir},
			[][2]string{{"config_path", "cannot be read"}},
		},
		"a file that is no kubeconfig": {
			Config{ConfigPath: write("bad", "a: [")},
			[][2]string{{"config_path", "not a kubeconfig"}},
		},
		"a context that does not exist lists those": {
			Config{Kubeconfig: twoContexts, Context: "prd"},
			[][2]string{{"context", `one of "dev", "prod"`}},
		},
		"a kubeconfig without a current context": {
			Config{Kubeconfig: strings.ReplaceAll(twoContexts, "current-context: prod", "")},
			[][2]string{{"kubeconfig", `one of "dev", "prod"`}},
		},
		"a current context that does not exist": {
			Config{Kubeconfig: strings.ReplaceAll(twoContexts, "current-context: prod", "current-context: gone")},
			[][2]string{{"kubeconfig", `"gone"`}},
		},
		"an old user": {
			Config{Kubeconfig: strings.ReplaceAll(twoContexts, "token: kubeconfig-token", "auth-provider: {name: oidc}")},
			[][2]string{{"kubeconfig", "its user has an auth-provider, in place of which"}},
		},
		"a context whose cluster is missing": {
			Config{
				Kubeconfig: strings.ReplaceAll(twoContexts, "{cluster: c, user: u}", "{cluster: z, user: u}"),
				Context:    "dev",
			},
			[][2]string{{"kubeconfig", `cannot be used with the context "dev"`}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := tc.config.Validate()
			var got, want []string
			for i, problem := range problems {
				got = append(got, problem.Attribute)
				if i < len(tc.want) && !strings.Contains(problem.String(), tc.want[i][1]) {
					t.Errorf("problem %q does not say %q", problem, tc.want[i][1])
				}
			}
			for _, entry := range tc.want {
				want = append(want, entry[0])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("attributes with a problem (-want +got):\n%s\n%v", diff, problems)
			}
		})
	}
}

func TestValidateShapeReadsNoFile(t *testing.T) {
	t.Parallel()
	for _, config := range []Config{
		{ConfigPath: "/nowhere/at/all"}, {Host: "https://h", TokenFile: "/nowhere/at/all"}, {InCluster: true},
	} {
		if problems := config.ValidateShape(); problems != nil {
			t.Errorf("want no problem, got %v", problems)
		}
	}
}

// The environment may have the credentials of a host, and nothing else that a connection lacks.
func TestValidateArguments(t *testing.T) {
	t.Parallel()
	if problems := (Config{Host: "https://h"}).ValidateArguments(); problems != nil {
		t.Errorf("a host alone: want no problem, got %v", problems)
	}
	for name, config := range map[string]Config{
		"nothing":          {},
		"half a pair":      {Host: "https://h", ClientCertificate: newPair(t).certificate},
		"an invalid host":  {Host: "h"},
		"a context alone":  {Context: "dev"},
		"two ways":         {Host: "https://h", InCluster: true},
		"a bad connection": {Host: "https://h", ProxyURL: "ftp://p"},
	} {
		if problems := config.ValidateArguments(); len(problems) == 0 {
			t.Errorf("%s: want a problem", name)
		}
	}
}

func TestProblemsShowNoCredential(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret+"\n"+secret), 0o600); err != nil {
		t.Fatal(err)
	}
	kubeconfig := func(server string) Config {
		return Config{Kubeconfig: strings.ReplaceAll(twoContexts, `"https://api.example.com:6443"`, server)}
	}
	for name, config := range map[string]Config{
		"a proxy without a scheme":         kubeconfig("'https://x', proxy-url: 'me:" + secret + "@x:3128'"),
		"a proxy that is no URL":           kubeconfig("'https://x', proxy-url: 'http://me:%" + secret + "@x:3128'"),
		"a server that is no URL":          kubeconfig("'https://me:%" + secret + "@x'"),
		"a server without a scheme":        kubeconfig("'me:" + secret + "@x/path'"),
		"a kubeconfig that does not parse": {Kubeconfig: "users: [{user: {token: *" + secret + "}}]"},
		"a key that is no PEM":             {Host: "https://x", ClientCertificate: secret, ClientKey: secret},
		"a password in the host":           {Host: "https://me:" + secret + "@x", Token: secret},
		"a password in a bad host":         {Host: "me:" + secret + "@x", Token: secret},
		"a token that is two lines":        {Host: "https://x", TokenFile: file},
		"a password in the proxy":          {Host: "https://x", Token: secret, ProxyURL: "ftp://me:" + secret + "@x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := &ConfigError{Problems: config.Validate()}
			if len(err.Problems) == 0 || strings.Contains(err.Error(), secret) {
				t.Errorf("want a problem without the secret, got %q", err)
			}
		})
	}
}
