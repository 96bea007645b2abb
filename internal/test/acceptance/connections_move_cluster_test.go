package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What was moved for a resource of another cluster stays as it is on the cluster that the provider knows.
func TestMoveFromAnotherCluster(t *testing.T) {
	s := story.New(t)
	second, _ := anotherCluster(t)
	source := fmt.Sprintf("resource \"kubernetes_config_map_v1_data\" \"test\" {\n  metadata {\n    name = \"settings\"\n    namespace = %q\n  }\n  data = { a = \"1\" }\n}\n", s.Namespace)
	factories := s.Provider.Factories(s.UserAgent)
	factories["kubernetes"] = kubernetesstub.New
	play.Steps(t, play.Case{Providers: factories, Steps: []resource.TestStep{
		{
			PreConfig: func() { s.As("Terraform").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`)) },
			Config:    s.ProviderBlock() + source,
		},
		{
			Config: "moved {\n  from = kubernetes_config_map_v1_data.test\n  to   = k8sconnect_patch.test\n}\n" +
				s.PatchConfig(story.SettingsTarget, `data: {a: "1"}`, story.Cluster(story.Attributes("config_path", second.KubeconfigPath()))),
			ExpectError: story.Saying("Moved From Another Cluster", s.Expand("ConfigMap NS/settings (v1)"), "Give the resource a provider that connects to its cluster"),
		},
		{
			Config: s.ProviderBlock() + source,
			Check:  s.ExpectOwners(story.SettingsTarget, "data.a", "Terraform"),
		},
	}})
}
