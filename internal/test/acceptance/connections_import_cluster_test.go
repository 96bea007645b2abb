package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An import cannot use the cluster of the resource, and its error says what it can use. After the import, the resource uses its
// own cluster.
func TestImportOfResourceWithCluster(t *testing.T) {
	s := story.New(t)
	own := story.Cluster(story.Attributes("kubeconfig", string(s.Kubeconfig(s.AddUser(s.Namespace)))))
	imports := s.ImportBlock(story.ConfigMapID) + s.Manifest("test", story.ConfigMap, own)
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-create").Create(story.ConfigMap) },
			Config:    imports,
			PlanOnly:  true,
			ExpectError: story.Saying("No Cluster Configured", s.Expand("ConfigMap NS/web (v1) could not be imported"),
				"An import cannot use the `cluster` of the resource", "Set KUBE_CONFIG_PATH and KUBE_CTX for the import", "The resource can keep its own"),
		},
		resource.TestStep{
			Config:           s.ProviderBlock() + imports,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.ManagedState)),
			Check:            s.ExpectOwners("v1 ConfigMap web", "data.colour", "k8sconnect"),
		},
		resource.TestStep{Config: s.Manifest("test", story.ConfigMap, own), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan())},
	)
}

// An object that was imported from another cluster than its resource's is not replaced: a replacement would delete it there.
func TestImportFromAnotherCluster(t *testing.T) {
	s := story.New(t)
	second, there := anotherCluster(t)
	body := strings.Replace(story.ConfigMap, "web, namespace: NS", "NS, namespace: default", 1)
	config := s.ImportBlock("apiVersion=v1,kind=ConfigMap,namespace=default,name=NS") +
		s.Manifest("test", body, story.Cluster(story.Attributes("config_path", second.KubeconfigPath())))
	s.Run(
		resource.TestStep{
			PreConfig:   func() { s.As("kubectl-create").Create(body) },
			Config:      s.ProviderBlock() + config,
			ExpectError: story.Saying("Imported From Another Cluster", s.Expand("ConfigMap default/NS (v1)"), "Import the object with a provider that connects to the resource's cluster"),
		},
		resource.TestStep{
			PreConfig: func() {
				twin := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: s.Namespace}, Data: map[string]string{"colour": "red"}}
				_, err := there.CoreV1().ConfigMaps("default").Create(t.Context(), twin, metav1.CreateOptions{})
				story.Must(t, err)
			},
			Config: story.ProviderWith(story.Cluster(story.Attributes("config_path", second.KubeconfigPath()))) + config,
			Check:  s.ExpectOwners("v1 ConfigMap default/NS", "data.colour", "kubectl-create"),
		},
		resource.TestStep{Config: story.ProviderWith(story.Cluster(story.Attributes("config_path", second.KubeconfigPath())))},
	)
}

// An object that was only imported belongs to the cluster that had it: another one that lacks it does not end its state.
func TestImportBelongsToItsCluster(t *testing.T) {
	s := story.New(t)
	second, _ := anotherCluster(t)
	s.As("kubectl").Apply(story.ConfigMap)
	ids := map[string]string{story.Address: story.ConfigMapID, "k8sconnect_manifests.test": "manager=kubectl,namespace=NS"}
	for name, block := range map[string]string{
		story.Address: s.Manifest("test", story.ConfigMap),
		"k8sconnect_manifests.test": s.Expand("resource \"k8sconnect_manifests\" \"test\" {\n  field_manager = \"kubectl\"\n" +
			"  manifests = { \"core/ConfigMap/NS/web\" = <<-YAML\n" + story.ConfigMap + "YAML\n }\n}\n"),
	} {
		w := s.Workspace()
		w.Configure(block)
		w.Do("import", name, s.Expand(ids[name]))
		w.ConfigureProvider(fmt.Sprintf("{ config_path = %q }", second.KubeconfigPath()), block)
		out := w.Exits(story.Refused, "plan")
		if !strings.Contains(out, "Not the Cluster of the State") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}
