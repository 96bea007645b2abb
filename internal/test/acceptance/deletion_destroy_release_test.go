package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// With on_destroy = "release" a destroy leaves the object as it is, and no claim of ours on it.
func TestDestroyReleases(t *testing.T) {
	const release = `on_destroy = "release"`
	body := story.ConfigMapIn("kept", `data: {a: "1", b: "2"}`)
	s := story.New(t)
	m := s.Meter()
	s.Run(
		resource.TestStep{Config: s.Config(body, release)},
		resource.TestStep{
			PreConfig: func() {
				s.As("bob").Patch(story.KeptMap, `{"data":{"b":"3"}}`)
				m.Start()
			},
			Config: s.ProviderBlock(),
			Check: resource.ComposeTestCheckFunc(
				m.Applies("get configmaps NS/kept 200", "get configmaps NS/kept 200", "patch configmaps NS/kept 200"),
				s.ExpectLiveJSON(story.KeptMap, `{"a":"1","b":"3"}`, "data"), s.ExpectOwners(story.KeptMap, "data.b", "bob"), s.ExpectNoOwner(story.KeptMap, "data.a"),
				func(*terraform.State) error {
					for _, entry := range s.Live(story.KeptMap).GetManagedFields() {
						if entry.Manager == "k8sconnect" {
							return fmt.Errorf("a claim of ours is left: %s", entry.FieldsV1)
						}
					}
					return nil
				},
			),
		},
	)
}

// A change that needs a replacement is refused: it would delete an object that a destroy leaves on the cluster.
func TestReleasedObjectIsNotReplaced(t *testing.T) {
	s := story.New(t)
	config := func(completions string) string {
		return s.Config("\napiVersion: batch/v1\nkind: Job\nmetadata: {name: one, namespace: NS}\nspec:\n  suspend: true\n  completions: "+completions+
			"\n  template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}\n", `on_destroy = "release"`)
	}
	s.Run(
		resource.TestStep{Config: config("1")},
		resource.TestStep{Config: config("2"), PlanOnly: true, ExpectError: story.Saying("Released Object Cannot Be Replaced")},
	)
}
