package acceptance_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Every way to configure the cluster and the user connects to that cluster as that user.
func TestConnectionWays(t *testing.T) {
	t.Parallel()
	pem := func(data []byte) string { return base64.StdEncoding.EncodeToString(data) }
	for name, way := range map[string]func(s *story.Story) (connection, user string){
		"the content of a kubeconfig": func(s *story.Story) (string, string) {
			return story.Attributes("kubeconfig", string(s.Kubeconfig(s.AddUser(s.Namespace)))), s.Namespace
		},
		"the path of a kubeconfig": func(s *story.Story) (string, string) {
			return story.Attributes("config_path", s.File("config", s.Kubeconfig(s.AddUser(s.Namespace)), 0o600)), s.Namespace
		},
		"a context of a kubeconfig": func(s *story.Story) (string, string) {
			both := s.Kubeconfig(s.AddUser(s.Namespace+"-current"), s.AddUser(s.Namespace+"-other"))
			return story.Attributes("config_path", s.File("config", both, 0o600), "context", "k8sconnect-test-1"), s.Namespace + "-other"
		},
		"a host with certificates": func(s *story.Story) (string, string) {
			user := s.AddUser(s.Namespace)
			return story.Attributes("host", user.Host, "cluster_ca_certificate", string(user.CAData),
				"client_certificate", string(user.CertData), "client_key", string(user.KeyData)), s.Namespace
		},
		"a host with certificates in base64": func(s *story.Story) (string, string) {
			user := s.AddUser(s.Namespace)
			return story.Attributes("host", user.Host, "cluster_ca_certificate", pem(user.CAData),
				"client_certificate", pem(user.CertData), "client_key", pem(user.KeyData)), s.Namespace
		},
		"a host with a token": func(s *story.Story) (string, string) {
			token, user := s.Token("deployer")
			config := story.ControlPlane().RESTConfig()
			return story.Attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData), "token", token), user
		},
		"a host with a token, unchecked": func(s *story.Story) (string, string) {
			token, user := s.Token("deployer")
			return story.Attributes("host", story.ControlPlane().RESTConfig().Host, "token", token) + "\ninsecure = true", user
		},
		"a host with a credential plugin": func(s *story.Story) (string, string) {
			token, user := s.Token("deployer")
			plugin := s.File("plugin", []byte("#!/bin/sh\nprintf '{\"apiVersion\":\"client.authentication.k8s.io/v1\","+
				"\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s%s\"}}' \"$1\" \"$REST\"\n"), 0o700)
			config := story.ControlPlane().RESTConfig()
			exec := fmt.Sprintf("exec = {\napi_version = \"client.authentication.k8s.io/v1\"\ncommand = %q\nargs = [%q]\nenv = { REST = %q }\n}",
				plugin, token[:10], token[10:])
			return story.Attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData)) + "\n" + exec, user
		},
		"a name on the server's certificate": func(s *story.Story) (string, string) {
			user := s.AddUser(s.Namespace)
			return story.Attributes("kubeconfig", string(s.Kubeconfig(user)), "tls_server_name", "localhost"), s.Namespace
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			requests := s.Meter()
			connection, user := way(s)
			s.Run(resource.TestStep{
				PreConfig: requests.Start,
				Config:    story.ProviderWith(story.Cluster(connection)) + s.Manifest("test", story.ConfigMap),
				Check:     story.LiveChecks(requests.ExpectUser(user), s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"})),
			})
		})
	}
}

// A resource's own connection replaces the provider's as a whole.
func TestConnectionOfResource(t *testing.T) {
	s := story.New(t)
	requests := s.Meter()
	own := s.Namespace + "-own"
	nowhere := story.ProviderWith(story.Cluster(story.Attributes("host", "https://127.0.0.1:1", "token", "none")))
	s.Run(resource.TestStep{
		PreConfig: requests.Start,
		Config:    nowhere + s.Manifest("test", story.ConfigMap, story.Cluster(story.Attributes("kubeconfig", string(s.Kubeconfig(s.AddUser(own)))))),
		Check:     requests.ExpectUser(own),
	})
}

// The environment stands in for the provider's connection, and for no other.
func TestConnectionFromEnvironment(t *testing.T) {
	s := story.NewSerial(t)
	requests := s.Meter()
	other := s.Namespace + "-other"
	path := s.File("config", s.Kubeconfig(s.AddUser(s.Namespace+"-current"), s.AddUser(other)), 0o600)
	t.Setenv("KUBE_CONFIG_PATH", path)
	t.Setenv("KUBE_CTX", "k8sconnect-test-1")
	s.Run(
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    s.Manifest("test", story.ConfigMap),
			Check:     requests.ExpectUser(other),
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    story.ProviderWith(story.Cluster(story.Attributes("config_path", path))) + s.Manifest("test", story.ConfigMap),
			Check:     requests.ExpectUser(s.Namespace + "-current"),
		},
		resource.TestStep{
			Config:      s.Manifest("test", story.ConfigMap, story.Cluster(story.Attributes("context", "k8sconnect-test-1"))),
			PlanOnly:    true,
			ExpectError: story.Saying("Invalid Cluster Connection", "none of `kubeconfig`, `config_path`, `host` and `in_cluster` is set"),
		},
		resource.TestStep{
			PreConfig:   func() { t.Setenv("KUBE_CTX", "context-9") },
			Config:      s.Manifest("test", story.ConfigMap),
			PlanOnly:    true,
			ExpectError: story.Saying("Invalid Cluster Connection", "`KUBE_CTX`", `"context-9"`, `"k8sconnect-test", "k8sconnect-test-1"`),
		},
		resource.TestStep{
			PreConfig: func() { t.Setenv("KUBE_CTX", "") },
			Config:    s.Manifest("test", story.ConfigMap),
		},
	)
}

func anotherCluster(t *testing.T) (*testcluster.ControlPlane, *kubernetes.Clientset) {
	t.Helper()
	second := story.SecondControlPlane(t)
	client, err := kubernetes.NewForConfig(second.RESTConfig())
	story.Must(t, err)
	return second, client
}

// A resource that moves to another cluster is deleted there and created here.
func TestConnectionToAnotherCluster(t *testing.T) {
	s := story.New(t)
	second, there := anotherCluster(t)
	body := strings.Replace(story.ConfigMap, "web, namespace: NS", "NS, namespace: default", 1)
	s.Run(
		resource.TestStep{
			Config: s.Manifest("test", body, story.Cluster(story.Attributes("config_path", second.KubeconfigPath()))),
			Check: story.LiveChecks(s.ExpectGone("v1 ConfigMap default/NS"), func(*terraform.State) error {
				_, err := there.CoreV1().ConfigMaps("default").Get(t.Context(), s.Namespace, metav1.GetOptions{})
				return err
			}),
		},
		resource.TestStep{Config: s.Manifest("test", body, story.Cluster(story.Attributes("config_path", second.KubeconfigPath())), story.Protected)},
		resource.TestStep{
			Config:      s.Manifest("test", body, story.Cluster(story.Attributes("config_path", story.ControlPlane().KubeconfigPath()))),
			ExpectError: story.Saying("Object Protected", "the connection points to another cluster"),
		},
		resource.TestStep{Config: s.Manifest("test", body, story.Cluster(story.Attributes("config_path", second.KubeconfigPath())))},
		resource.TestStep{
			Config:           s.Manifest("test", body, story.Cluster(story.Attributes("config_path", story.ControlPlane().KubeconfigPath()))),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionReplace)),
			Check: story.LiveChecks(
				s.ExpectLive("v1 ConfigMap default/NS", map[string]any{"data.colour": "red"}),
				func(*terraform.State) error {
					_, err := there.CoreV1().ConfigMaps("default").Get(t.Context(), s.Namespace, metav1.GetOptions{})
					switch {
					case err == nil:
						return errors.New("the object is on the other cluster too")
					case !apierrors.IsNotFound(err):
						return fmt.Errorf("look for the object on the other cluster: %w", err)
					}
					return nil
				},
			),
		},
	)
}
