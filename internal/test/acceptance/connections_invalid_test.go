package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A connection that cannot be used is an error that names the attribute, and no request is sent.
func TestConnectionInvalid(t *testing.T) {
	t.Parallel()
	host := story.Attributes("host", "https://127.0.0.1:6443")
	for name, invalid := range map[string]struct {
		connection func(s *story.Story) string
		says       []string
	}{
		"no cluster anywhere": {
			connection: func(*story.Story) string { return "" },
			says:       []string{"No Cluster Configured", "KUBE_CONFIG_PATH", `provider "k8sconnect" {`, "config_path"},
		},
		"two ways at once": {
			connection: func(s *story.Story) string {
				return story.Cluster(story.Attributes("kubeconfig", string(s.Kubeconfig(story.ControlPlane().RESTConfig())),
					"config_path", story.ControlPlane().KubeconfigPath()))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.config_path`", "together with `kubeconfig`"},
		},
		"an absent context": {
			connection: func(*story.Story) string {
				return story.Cluster(story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "context", "staging"))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.context`", `"staging"`, `"k8sconnect-test"`},
		},
		"text that is no kubeconfig": {
			connection: func(*story.Story) string { return story.Cluster(story.Attributes("kubeconfig", "~/.kube/config")) },
			says:       []string{"Invalid Cluster Connection", "`cluster.kubeconfig`", "is not the content of a kubeconfig"},
		},
		"a file that is not there": {
			connection: func(*story.Story) string { return story.Cluster(story.Attributes("config_path", "/nowhere/config")) },
			says:       []string{"Invalid Cluster Connection", "`cluster.config_path`", `"/nowhere/config"`, "no such file"},
		},
		"a host without credentials": {
			connection: func(*story.Story) string { return story.Cluster(host) },
			says:       []string{"Invalid Cluster Connection", "`cluster.host`", "is set without credentials", "`token`"},
		},
		"a token file that is not there": {
			connection: func(*story.Story) string {
				return story.Cluster(host, story.Attributes("token_file", "/nowhere/token"))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.token_file`", `"/nowhere/token"`, "no such file"},
		},
		"a token file that is empty": {
			connection: func(s *story.Story) string {
				return story.Cluster(host, story.Attributes("token_file", s.File("token", nil, 0o600)))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.token_file`", "which is empty"},
		},
		"a token and a token file": {
			connection: func(*story.Story) string {
				return story.Cluster(host, story.Attributes("token", "none", "token_file", "/nowhere/token"))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.token_file`", "together with `token`"},
		},
		"not in a pod": {
			connection: func(*story.Story) string { return story.Cluster("in_cluster = true") },
			says:       []string{"Invalid Cluster Connection", "`cluster.in_cluster`", "does not run in a pod", "KUBERNETES_SERVICE_HOST"},
		},
		"a certificate without its key": {
			connection: func(*story.Story) string { return story.Cluster(host, story.Attributes("client_certificate", "none")) },
			says:       []string{"Invalid Cluster Connection", "`cluster.client_"},
		},
		"a token beside a kubeconfig": {
			connection: func(*story.Story) string {
				return story.Cluster(story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "token", "none"))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.token`", "is used with `host`"},
		},
	} {
		for level, config := range map[string]func(s *story.Story, connection string) string{
			"of the provider": func(s *story.Story, connection string) string {
				return story.ProviderWith(connection) + s.Manifest("test", story.ConfigMap)
			},
			"of the resource": func(s *story.Story, connection string) string { return s.Manifest("test", story.ConfigMap, connection) },
		} {
			t.Run(name+" "+level, func(t *testing.T) {
				s := story.New(t)
				requests := s.Meter()
				requests.Start()
				s.Run(resource.TestStep{
					Config:      config(s, invalid.connection(s)),
					PlanOnly:    true,
					ExpectError: story.Saying(invalid.says...),
				})
				story.Must(t, requests.Compare(nil))
			})
		}
	}
}

// If a server does not answer, is the wrong one, or does not know the user, the error names the server and the
// object.
func TestConnectionRefused(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]struct {
		connection func(s *story.Story) string
		says       []string
	}{
		"nobody listens": {
			connection: func(*story.Story) string { return story.Attributes("host", "https://127.0.0.1:1", "token", "none") },
			says:       []string{"Cluster Unreachable", "ConfigMap", "NS/web (v1) could not be planned", "https://127.0.0.1:1", "connection refused"},
		},
		"another name on the server's certificate": {
			connection: func(*story.Story) string {
				return story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "tls_server_name", "api.example.com")
			},
			says: []string{"Cluster Unreachable", "NS/web (v1) could not be planned", "not api.example.com"},
		},
		"an unknown authority": {
			connection: func(*story.Story) string {
				return story.Attributes("host", story.ControlPlane().RESTConfig().Host, "token", "none")
			},
			says: []string{"Cluster Unreachable", "NS/web (v1) could not be planned", "unknown authority"},
		},
		"an unknown token": {
			connection: func(*story.Story) string {
				config := story.ControlPlane().RESTConfig()
				return story.Attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData), "token", "none")
			},
			says: []string{"Unauthorized", "NS/web (v1) could not be planned", "credentials"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			says := make([]string, len(refused.says))
			for i, text := range refused.says {
				says[i] = s.Expand(text)
			}
			s.Run(resource.TestStep{
				Config:      story.ProviderWith(story.Cluster(refused.connection(s))) + s.Manifest("test", story.ConfigMap),
				PlanOnly:    true,
				ExpectError: story.Saying(says...),
			})
		})
	}
}
