package manifestresource_test

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

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Every way to say where the cluster is, and as whom, leads there and as that user.
func TestConnectionWays(t *testing.T) {
	pem := func(data []byte) string { return base64.StdEncoding.EncodeToString(data) }
	for name, way := range map[string]func(s *story) (connection, user string){
		"the content of a kubeconfig": func(s *story) (string, string) {
			return attributes("kubeconfig", string(s.kubeconfig(s.addUser(s.namespace)))), s.namespace
		},
		"the path of a kubeconfig": func(s *story) (string, string) {
			return attributes("config_path", s.file("config", s.kubeconfig(s.addUser(s.namespace)), 0o600)), s.namespace
		},
		"a context of a kubeconfig": func(s *story) (string, string) {
			both := s.kubeconfig(s.addUser(s.namespace+"-current"), s.addUser(s.namespace+"-other"))
			return attributes("config_path", s.file("config", both, 0o600), "context", "k8sconnect-test-1"), s.namespace + "-other"
		},
		"a host with certificates": func(s *story) (string, string) {
			user := s.addUser(s.namespace)
			return attributes("host", user.Host, "cluster_ca_certificate", string(user.CAData),
				"client_certificate", string(user.CertData), "client_key", string(user.KeyData)), s.namespace
		},
		"a host with certificates in base64": func(s *story) (string, string) {
			user := s.addUser(s.namespace)
			return attributes("host", user.Host, "cluster_ca_certificate", pem(user.CAData),
				"client_certificate", pem(user.CertData), "client_key", pem(user.KeyData)), s.namespace
		},
		"a host with a token": func(s *story) (string, string) {
			token, user := s.token()
			config := controlPlane().RESTConfig()
			return attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData), "token", token), user
		},
		"a host with a token, unchecked": func(s *story) (string, string) {
			token, user := s.token()
			return attributes("host", controlPlane().RESTConfig().Host, "token", token) + "\ninsecure = true", user
		},
		"a host with a credential plugin": func(s *story) (string, string) {
			token, user := s.token()
			plugin := s.file("plugin", []byte("#!/bin/sh\nprintf '{\"apiVersion\":\"client.authentication.k8s.io/v1\","+
				"\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s%s\"}}' \"$1\" \"$REST\"\n"), 0o700)
			config := controlPlane().RESTConfig()
			exec := fmt.Sprintf("exec = {\napi_version = \"client.authentication.k8s.io/v1\"\ncommand = %q\nargs = [%q]\nenv = { REST = %q }\n}",
				plugin, token[:10], token[10:])
			return attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData)) + "\n" + exec, user
		},
		"a name on the server's certificate": func(s *story) (string, string) {
			user := s.addUser(s.namespace)
			return attributes("kubeconfig", string(s.kubeconfig(user)), "tls_server_name", "localhost"), s.namespace
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			requests := s.meter()
			connection, user := way(s)
			s.run(resource.TestStep{
				PreConfig: requests.start,
				Config:    providerWith(cluster(connection)) + s.manifest("test", configMap),
				Check:     lives(requests.expectUser(user), s.expectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"})),
			})
		})
	}
}

// A resource's own connection replaces the provider's as a whole.
func TestConnectionOfResource(t *testing.T) {
	s := newStory(t)
	requests := s.meter()
	own := s.namespace + "-own"
	nowhere := providerWith(cluster(attributes("host", "https://127.0.0.1:1", "token", "none")))
	s.run(resource.TestStep{
		PreConfig: requests.start,
		Config:    nowhere + s.manifest("test", configMap, cluster(attributes("kubeconfig", string(s.kubeconfig(s.addUser(own)))))),
		Check:     requests.expectUser(own),
	})
}

// The environment stands in for the provider's connection, and for no other.
func TestConnectionFromEnvironment(t *testing.T) {
	s := newSerialStory(t)
	requests := s.meter()
	other := s.namespace + "-other"
	path := s.file("config", s.kubeconfig(s.addUser(s.namespace+"-current"), s.addUser(other)), 0o600)
	t.Setenv("KUBE_CONFIG_PATH", path)
	t.Setenv("KUBE_CTX", "k8sconnect-test-1")
	s.run(
		resource.TestStep{
			PreConfig: requests.start,
			Config:    s.manifest("test", configMap),
			Check:     requests.expectUser(other),
		},
		resource.TestStep{
			PreConfig: requests.start,
			Config:    providerWith(cluster(attributes("config_path", path))) + s.manifest("test", configMap),
			Check:     requests.expectUser(s.namespace + "-current"),
		},
		resource.TestStep{
			Config:      s.manifest("test", configMap, cluster(attributes("context", "k8sconnect-test-1"))),
			PlanOnly:    true,
			ExpectError: saying("Invalid Cluster Connection", "`kubeconfig`, `config_path` and `host` are all empty"),
		},
		resource.TestStep{
			PreConfig:   func() { t.Setenv("KUBE_CTX", "context-9") },
			Config:      s.manifest("test", configMap),
			PlanOnly:    true,
			ExpectError: saying("Invalid Cluster Connection", "`KUBE_CTX`", `"context-9"`, `"k8sconnect-test", "k8sconnect-test-1"`),
		},
		resource.TestStep{
			PreConfig: func() { t.Setenv("KUBE_CTX", "") },
			Config:    s.manifest("test", configMap),
		},
	)
}

// A resource that moves to another cluster is deleted there and created here.
func TestConnectionToAnotherCluster(t *testing.T) {
	s := newStory(t)
	second, err := testcluster.Start(t.Context(), testcluster.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, second.Stop()) })
	there, err := kubernetes.NewForConfig(second.RESTConfig())
	must(t, err)
	body := strings.Replace(configMap, "web, namespace: NS", "NS, namespace: default", 1)
	s.run(
		resource.TestStep{
			Config: s.manifest("test", body, cluster(attributes("config_path", second.KubeconfigPath()))),
			Check: lives(s.expectGone("v1 ConfigMap default/NS"), func(*terraform.State) error {
				_, err := there.CoreV1().ConfigMaps("default").Get(t.Context(), s.namespace, metav1.GetOptions{})
				return err
			}),
		},
		resource.TestStep{Config: s.manifest("test", body, cluster(attributes("config_path", second.KubeconfigPath())), protected)},
		resource.TestStep{
			Config:      s.manifest("test", body, cluster(attributes("config_path", controlPlane().KubeconfigPath()))),
			ExpectError: saying("Object Protected", "the connection leads to another cluster"),
		},
		resource.TestStep{Config: s.manifest("test", body, cluster(attributes("config_path", second.KubeconfigPath())))},
		resource.TestStep{
			Config:           s.manifest("test", body, cluster(attributes("config_path", controlPlane().KubeconfigPath()))),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionReplace)),
			Check: lives(
				s.expectLive("v1 ConfigMap default/NS", map[string]any{"data.colour": "red"}),
				func(*terraform.State) error {
					_, err := there.CoreV1().ConfigMaps("default").Get(t.Context(), s.namespace, metav1.GetOptions{})
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
