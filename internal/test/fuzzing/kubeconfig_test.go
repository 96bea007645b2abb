package fuzzing_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

const credential = "hunter2"

// users are credentials of every kind in the middle of a kubeconfig.
const users = `
users:
- name: u
  user:
    token: hunter2-token
    password: hunter2-password
    client-key-data: aHVudGVyMg==
    exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, env: [{name: KEY, value: hunter2-env}]}
`

// FuzzKubeconfig checks that any text as a kubeconfig makes a client or problems, none of which quotes a
// credential.
func FuzzKubeconfig(f *testing.F) {
	const around = "clusters: [{name: c, cluster: {server: 'https://a.example.com'}}]\ncontexts: [{name: dev, context: {cluster: c, user: u}}]\n"
	f.Add("apiVersion: v1\nkind: Config\n"+around+"current-context: dev", "", "")
	f.Add("apiVersion: v1\nkind: Config\n", around, "dev")
	f.Add(around, "current-context: prod\n", "")
	f.Add("{", "}", "")
	f.Add("apiVersion: v2\nkind: Pod\n", "x: [", "x")
	f.Add("- ", "\n\t", "")
	f.Add("a: |", "  b", "")
	f.Add("", "clusters: [{cluster: {server: ':', certificate-authority: /nowhere, certificate-authority-data: '!'}}]", "")
	f.Fuzz(func(t *testing.T, before, after, context string) {
		if strings.Contains(before+after+context, credential) {
			t.Skip()
		}
		checkConfig(t, connect.Config{Kubeconfig: before + users + after, Context: context})
	})
}

// FuzzHost checks the same for connections that name a host.
func FuzzHost(f *testing.F) {
	f.Add("https://a.example.com", "", "", "")
	f.Add("http://a.example.com", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", "http://proxy:3128", "a")
	f.Add("https://admin:hunter2@a.example.com", "aGk=", "socks5://u:hunter2@proxy", "*")
	f.Add("a.example.com?token=hunter2", "%", "hunter2@proxy:80", "")
	f.Add("https://[::1", "\x00", "://", " ")
	f.Fuzz(func(t *testing.T, host, ca, proxy, name string) {
		for _, url := range []string{host, proxy} {
			if strings.Contains(url, credential) && !strings.ContainsAny(url, "@?") {
				t.Skip() // It is no credential where it is a host's name.
			}
		}
		if strings.Contains(ca+name, credential) {
			t.Skip()
		}
		config := connect.Config{Host: host, ClusterCACertificate: ca, ProxyURL: proxy, TLSServerName: name}
		for _, config.Token = range []string{"", credential + "-token"} {
			checkConfig(t, config)
		}
		config.Token, config.ClientCertificate, config.ClientKey = "", ca, credential+"-key"
		checkConfig(t, config)
	})
}

func checkConfig(t *testing.T, config connect.Config) {
	t.Helper()
	problems := config.Validate()
	if _, err := kube.NewPool(connect.Options{}).Client(config); err != nil {
		if strings.Contains(err.Error(), credential) {
			t.Fatalf("quotes a credential: %v", err)
		}
	} else if problems != nil {
		t.Fatalf("usable with problems: %v", problems)
	}
	for _, problem := range problems {
		if problem.Problem == "" || !strings.HasSuffix(problem.Suggestion, ".") {
			t.Fatalf("problem %#v", problem)
		}
	}
}
