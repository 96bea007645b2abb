package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// A connection that cannot be used is an error that names the attribute, and nobody is asked anything.
func TestConnectionInvalid(t *testing.T) {
	host := attributes("host", "https://127.0.0.1:6443")
	for name, invalid := range map[string]struct {
		connection func(s *story) string
		says       []string
	}{
		"no cluster anywhere": {
			connection: func(*story) string { return "" },
			says:       []string{"No Cluster Configured", "KUBE_CONFIG_PATH", `provider "k8sconnect" {`, "config_path"},
		},
		"two ways at once": {
			connection: func(s *story) string {
				return cluster(attributes("kubeconfig", string(s.kubeconfig(controlPlane().RESTConfig())),
					"config_path", controlPlane().KubeconfigPath()))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.config_path`", "together with `kubeconfig`"},
		},
		"an absent context": {
			connection: func(*story) string {
				return cluster(attributes("config_path", controlPlane().KubeconfigPath(), "context", "staging"))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.context`", `"staging"`, `"k8sconnect-test"`},
		},
		"text that is no kubeconfig": {
			connection: func(*story) string { return cluster(attributes("kubeconfig", "~/.kube/config")) },
			says:       []string{"Invalid Cluster Connection", "`cluster.kubeconfig`", "is not the content of a kubeconfig"},
		},
		"a file that is not there": {
			connection: func(*story) string { return cluster(attributes("config_path", "/nowhere/config")) },
			says:       []string{"Invalid Cluster Connection", "`cluster.config_path`", `"/nowhere/config"`, "no such file"},
		},
		"a host without credentials": {
			connection: func(*story) string { return cluster(host) },
			says:       []string{"Invalid Cluster Connection", "`cluster.host`", "comes without credentials", "`token`"},
		},
		"a certificate without its key": {
			connection: func(*story) string { return cluster(host, attributes("client_certificate", "none")) },
			says:       []string{"Invalid Cluster Connection", "`cluster.client_"},
		},
		"a token beside a kubeconfig": {
			connection: func(*story) string {
				return cluster(attributes("config_path", controlPlane().KubeconfigPath(), "token", "none"))
			},
			says: []string{"Invalid Cluster Connection", "`cluster.token`", "goes with `host`"},
		},
	} {
		for level, config := range map[string]func(s *story, connection string) string{
			"of the provider": func(s *story, connection string) string {
				return providerWith(connection) + s.manifest("test", configMap)
			},
			"of the resource": func(s *story, connection string) string { return s.manifest("test", configMap, connection) },
		} {
			t.Run(name+" "+level, func(t *testing.T) {
				s := newStory(t)
				requests := s.meter()
				requests.start()
				s.run(resource.TestStep{
					Config:      config(s, invalid.connection(s)),
					PlanOnly:    true,
					ExpectError: saying(invalid.says...),
				})
				must(t, requests.compare(nil))
			})
		}
	}
}

// A server that does not answer, is not the one that was meant, or does not know the user, is named with
// the object that it was asked for.
func TestConnectionRefused(t *testing.T) {
	for name, refused := range map[string]struct {
		connection func(s *story) string
		says       []string
	}{
		"nobody listens": {
			connection: func(*story) string { return attributes("host", "https://127.0.0.1:1", "token", "none") },
			says:       []string{"Cluster Unreachable", "ConfigMap", "NS/web (v1) could not be planned", "https://127.0.0.1:1", "connection refused"},
		},
		"another name on the server's certificate": {
			connection: func(*story) string {
				return attributes("config_path", controlPlane().KubeconfigPath(), "tls_server_name", "api.example.com")
			},
			says: []string{"Cluster Unreachable", "NS/web (v1) could not be planned", "not api.example.com"},
		},
		"an unknown authority": {
			connection: func(*story) string { return attributes("host", controlPlane().RESTConfig().Host, "token", "none") },
			says:       []string{"Cluster Unreachable", "NS/web (v1) could not be planned", "unknown authority"},
		},
		"an unknown token": {
			connection: func(*story) string {
				config := controlPlane().RESTConfig()
				return attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData), "token", "none")
			},
			says: []string{"Unauthorized", "NS/web (v1) could not be planned", "credentials"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			says := make([]string, len(refused.says))
			for i, text := range refused.says {
				says[i] = s.expand(text)
			}
			s.run(resource.TestStep{
				Config:      providerWith(cluster(refused.connection(s))) + s.manifest("test", configMap),
				PlanOnly:    true,
				ExpectError: saying(says...),
			})
		})
	}
}
