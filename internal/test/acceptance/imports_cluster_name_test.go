package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// namedCluster is a provider with one cluster, which has a name.
func namedCluster(path string) string {
	return story.ProviderWith(fmt.Sprintf("clusters = { named = { config_path = %q } }", path))
}

// An import ID can begin with the name of a cluster.
func TestImportFromCluster(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-create").Create(story.ConfigMap)
	provider := namedCluster(story.ControlPlane().KubeconfigPath())
	manifest := s.Manifest("test", story.ConfigMap, `cluster_name = "named"`)
	s.Run(
		resource.TestStep{
			Config:      provider + s.ImportBlock("cluster=nmed,"+story.ConfigMapID) + manifest,
			ExpectError: story.Saying("Cluster Not Configured", `There is no cluster "nmed"`, `Did you mean "named"?`),
		},
		resource.TestStep{
			Config:      provider + s.ImportBlock("cluster=named") + manifest,
			ExpectError: story.Saying("Invalid Import ID", "The import ID cluster=named cannot be used"),
		},
		resource.TestStep{
			Config:           provider + s.ImportBlock("cluster=named,"+story.ConfigMapID) + manifest,
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.FieldOwnership, "data: kubectl-create -> (absent)", "data.colour: kubectl-create -> k8sconnect")),
			Check:            s.ExpectOwners("v1 ConfigMap web", "data.colour", "k8sconnect"),
		},
	)
}

// An identity has the name of the cluster, which an import takes from it and another name of the cluster changes.
func TestIdentityWithCluster(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-create").Create(story.ConfigMap)
	path := story.ControlPlane().KubeconfigPath()
	block := s.Expand("import {\n  to = k8sconnect_manifest.test\n  identity = {\n    api_version = \"v1\"\n    kind = \"ConfigMap\"\n" +
		"    namespace = \"NS\"\n    name = \"web\"\n    cluster_name = \"named\"\n  }\n}\n")
	identified := func(cluster string) []statecheck.StateCheck {
		return []statecheck.StateCheck{statecheck.ExpectIdentityValue(story.Address, tfjsonpath.New("cluster_name"), knownvalue.StringExact(cluster))}
	}
	s.RunWith([]tfversion.TerraformVersionCheck{
		story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_12_0), Name: "import by identity"},
	},
		resource.TestStep{
			Config:            namedCluster(path) + block + s.Manifest("test", story.ConfigMap, `cluster_name = "named"`),
			ConfigStateChecks: identified("named"),
		},
		resource.TestStep{
			Config: story.ProviderWith(fmt.Sprintf("clusters = { named = { config_path = %q }, other = { config_path = %[1]q } }", path)) +
				s.Manifest("test", story.ConfigMap, `cluster_name = "other"`),
			ConfigStateChecks: identified("other"),
			Check:             s.ExpectOwners("v1 ConfigMap web", "data.colour", "k8sconnect"),
		},
	)
}

// A query of a cluster by its name writes the name into what it generates.
func TestQueryOfCluster(t *testing.T) {
	q := newQuerier(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: queries})
	q.As("kubectl-create").Create(story.ConfigMap)
	story.Must(q.T, q.Write("provider \"k8sconnect\" {\n  clusters = { named = { config_path = \"kubeconfig\" } }\n}\n"))
	q.block(`    kinds = ["ConfigMap"]
    namespace = "NS"
    field_selector = "metadata.name=web"
    cluster_name = "named"`)
	q.Do("query", "-generate-config-out=generated.tf")
	generated, err := os.ReadFile(filepath.Join(q.Dir, "generated.tf"))
	story.Must(q.T, err)
	for _, want := range []string{`cluster_name`, `"named"`, "identity"} {
		if strings.Count(string(generated), want) == 0 {
			t.Errorf("the generated configuration lacks %s:\n%s", want, generated)
		}
	}
	q.Do("plan", "-out=p")
	q.Do("apply", "p")
	q.Exits(story.Nothing, "plan", "-detailed-exitcode")
}
