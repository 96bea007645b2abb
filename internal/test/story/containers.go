package story

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ExpectContainer asserts one value of a container of the live object's pod template; Absent for no value.
func (s *Story) ExpectContainer(target, name, path, want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		containers, _, err := unstructured.NestedSlice(s.Live(target).Object, "spec", "template", "spec", "containers")
		if err != nil {
			return err
		}
		for _, item := range containers {
			container, _ := item.(map[string]any)
			if container["name"] != name {
				continue
			}
			got, has, err := unstructured.NestedFieldNoCopy(container, strings.Split(path, ".")...)
			if err != nil || !has {
				got = Absent
			}
			if fmt.Sprint(got) != want {
				return fmt.Errorf("live %s: %s of container %s is %v, want %s", target, path, name, got, want)
			}
			return nil
		}
		return fmt.Errorf("live %s has no container %s", target, name)
	}
}

// ExpectContainerOrder asserts the names of the containers of the live Deployment web.
func (s *Story) ExpectContainerOrder(want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		containers, _, err := unstructured.NestedSlice(s.Live(Web).Object, "spec", "template", "spec", "containers")
		if err != nil {
			return err
		}
		var got []string
		for _, item := range containers {
			container, _ := item.(map[string]any)
			got = append(got, fmt.Sprint(container["name"]))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("containers (-want +got):\n%s", diff)
		}
		return nil
	}
}
