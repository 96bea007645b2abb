package acceptance_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// setenv sets the environment variables of a connection to the control plane with a token.
func setenv(t *testing.T, token string) {
	t.Helper()
	config := story.ControlPlane().RESTConfig()
	t.Setenv("KUBE_HOST", config.Host)
	t.Setenv("KUBE_CLUSTER_CA_CERT_DATA", string(config.CAData))
	t.Setenv("KUBE_TOKEN", token)
}

// The environment has the whole connection, as hashicorp/kubernetes reads it. What the configuration says wins.
func TestConnectionFromVariables(t *testing.T) {
	s := story.NewSerial(t)
	requests := s.Meter()
	fromEnvironment, environment := s.Token("environment")
	fromArgument, argument := s.Token("argument")
	setenv(t, fromEnvironment)
	config := story.ControlPlane().RESTConfig()
	host := story.Attributes("host", config.Host)
	s.Run(
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    s.Manifest("test", story.ConfigMap),
			Check:     requests.ExpectUser(environment),
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    story.ProviderWith(story.Cluster(atHost(), story.Attributes("token", fromArgument))) + s.Manifest("test", story.ConfigMap),
			Check:     requests.ExpectUser(argument),
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    story.ProviderWith(story.Cluster(host)) + s.Manifest("test", story.ConfigMap),
			Check:     requests.ExpectUser(environment),
		},
		resource.TestStep{
			PreConfig: func() {
				t.Setenv("KUBE_CONFIG_PATH", story.ControlPlane().KubeconfigPath())
				requests.Start()
			},
			Config:      s.Manifest("test", story.ConfigMap),
			PlanOnly:    true,
			ExpectError: story.Saying("Invalid Cluster Connection", "`KUBE_HOST` is set together with `KUBE_CONFIG_PATH`"),
		},
		resource.TestStep{
			PreConfig: func() { t.Setenv("KUBE_CONFIG_PATH", "") },
			Config:    s.Manifest("test", story.ConfigMap),
		},
	)
	story.Must(t, s.CheckRedacted([]string{fromEnvironment, fromArgument}))
}

// The run of HCP Terraform has KUBE_TOKEN, and the provider block the host.
func TestConnectionWithDynamicCredentials(t *testing.T) {
	s := story.NewSerial(t)
	requests := s.Meter()
	token, user := s.Token("run")
	hosted := story.ProviderWith(story.Cluster(atHost()))
	s.Run(
		resource.TestStep{
			PreConfig:   requests.Start,
			Config:      hosted + s.Manifest("test", story.ConfigMap),
			PlanOnly:    true,
			ExpectError: story.Saying("Invalid Cluster Connection", "`cluster.host` is set without credentials", "KUBE_TOKEN"),
		},
		resource.TestStep{
			PreConfig: func() {
				story.Must(t, requests.Compare(nil))
				t.Setenv("KUBE_TOKEN", token)
				requests.Start()
			},
			Config: hosted + s.Manifest("test", story.ConfigMap),
			Check: story.LiveChecks(requests.ExpectUser(user), requests.Applies("patch configmaps NS/web dry-run 201", "patch configmaps NS/web dry-run 201",
				"patch configmaps NS/web 201")),
		},
	)
	story.Must(t, s.CheckRedacted([]string{token}))
}

// A host that a resource names gets no credentials of the environment.
func TestVariablesAreNotSentToTheHostOfAResource(t *testing.T) {
	s := story.NewSerial(t)
	token, _ := s.Token("environment")
	setenv(t, token)
	var requests atomic.Int32
	elsewhere := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer elsewhere.Close()
	s.Run(
		resource.TestStep{
			Config:      s.Manifest("test", story.ConfigMap, story.Cluster(story.Attributes("host", elsewhere.URL), "insecure = true")),
			PlanOnly:    true,
			ExpectError: story.Saying("Invalid Cluster Connection", "`cluster.host` is set without credentials"),
		},
		resource.TestStep{
			Config: story.Later("elsewhere", elsewhere.URL) + s.Manifest("test", story.ConfigMap,
				story.Cluster("host = terraform_data.elsewhere.output", "insecure = true")),
			ExpectError: story.Saying("Invalid Cluster Connection", "`cluster.host` is set without credentials"),
		},
		resource.TestStep{Config: s.Manifest("test", story.ConfigMap)},
	)
	if sent := requests.Load(); sent != 0 {
		t.Errorf("the host of the resource got %d requests", sent)
	}
}
