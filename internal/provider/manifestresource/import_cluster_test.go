package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// An import cannot use the cluster of the resource, and says what it can use. After it the resource can.
func TestImportOfResourceWithCluster(t *testing.T) {
	s := newStory(t)
	own := cluster(attributes("kubeconfig", string(s.kubeconfig(s.addUser(s.namespace)))))
	imports := s.importBlock(configMapID) + s.manifest("test", configMap, own)
	s.run(
		resource.TestStep{
			PreConfig: func() { s.as("kubectl-create").create(configMap) },
			Config:    imports,
			PlanOnly:  true,
			ExpectError: saying("No Cluster Configured", s.expand("ConfigMap NS/web (v1) could not be imported"),
				"An import cannot use the `cluster` of the resource", "Set KUBE_CONFIG_PATH and KUBE_CTX for the import", "The resource can keep its own"),
		},
		resource.TestStep{
			Config:           s.providerBlock() + imports,
			ConfigPlanChecks: checks(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), expectOnly(managedState)),
			Check:            s.expectOwners("v1 ConfigMap web", "data.colour", "k8sconnect"),
		},
		resource.TestStep{Config: s.manifest("test", configMap, own), ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan())},
	)
}

// What was imported from one cluster for a resource of another is not replaced, which would delete it there.
func TestImportFromAnotherCluster(t *testing.T) {
	s := newStory(t)
	second, err := testcluster.Start(t.Context(), testcluster.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, second.Stop()) })
	there, err := kubernetes.NewForConfig(second.RESTConfig())
	must(t, err)
	body := strings.Replace(configMap, "web, namespace: NS", "NS, namespace: default", 1)
	config := s.importBlock("apiVersion=v1,kind=ConfigMap,namespace=default,name=NS") +
		s.manifest("test", body, cluster(attributes("config_path", second.KubeconfigPath())))
	s.run(
		resource.TestStep{
			PreConfig:   func() { s.as("kubectl-create").create(body) },
			Config:      s.providerBlock() + config,
			ExpectError: saying("Imported From Another Cluster", s.expand("ConfigMap default/NS (v1)"), "Import it with a provider whose `cluster` leads there too"),
		},
		resource.TestStep{
			PreConfig: func() {
				twin := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}, Data: map[string]string{"colour": "red"}}
				_, err := there.CoreV1().ConfigMaps("default").Create(t.Context(), twin, metav1.CreateOptions{})
				must(t, err)
			},
			Config: providerWith(cluster(attributes("config_path", second.KubeconfigPath()))) + config,
			Check:  s.expectOwners("v1 ConfigMap default/NS", "data.colour", "kubectl-create"),
		},
		resource.TestStep{Config: providerWith(cluster(attributes("config_path", second.KubeconfigPath())))},
	)
}
