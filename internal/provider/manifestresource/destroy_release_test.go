package manifestresource_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// With on_destroy = "release" a destroy leaves the object as it is, and no claim of ours on it.
func TestDestroyReleases(t *testing.T) {
	const release = `on_destroy = "release"`
	body := configMapIn("kept", `data: {a: "1", b: "2"}`)
	s := newStory(t)
	m := s.meter()
	s.run(
		resource.TestStep{Config: s.config(body, release)},
		resource.TestStep{
			PreConfig: func() {
				s.as("bob").patch(keptMap, `{"data":{"b":"3"}}`)
				m.start()
			},
			Config: s.providerBlock(),
			Check: resource.ComposeTestCheckFunc(
				m.applies("get configmaps NS/kept 200", "get configmaps NS/kept 200", "patch configmaps NS/kept 200"),
				s.expectLiveJSON(keptMap, `{"a":"1","b":"3"}`, "data"), s.expectOwners(keptMap, "data.b", "bob"), s.expectNoOwner(keptMap, "data.a"),
				func(*terraform.State) error {
					for _, entry := range s.live(keptMap).GetManagedFields() {
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

// A change that needs a replacement would delete what is to be left.
func TestReleasedObjectIsNotReplaced(t *testing.T) {
	s := newStory(t)
	config := func(completions string) string {
		return s.config("\napiVersion: batch/v1\nkind: Job\nmetadata: {name: one, namespace: NS}\nspec:\n  suspend: true\n  completions: "+completions+
			"\n  template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}\n", `on_destroy = "release"`)
	}
	s.run(
		resource.TestStep{Config: config("1")},
		resource.TestStep{Config: config("2"), PlanOnly: true, ExpectError: saying("Released Object Cannot Be Replaced")},
	)
}
