package story

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/jsonpath"
)

// ExpectLive asserts values of the live object after the apply, by dotted path of plain fields.
func (s *Story) ExpectLive(target string, want map[string]any) resource.TestCheckFunc {
	return func(*terraform.State) error {
		live := s.Live(target)
		for path, value := range want {
			got, has, err := unstructured.NestedFieldNoCopy(live.Object, strings.Split(path, ".")...)
			if err != nil || !has {
				got = Absent
			}
			if fmt.Sprint(got) != fmt.Sprint(value) {
				return fmt.Errorf("live %s: %s is %v, want %v", target, path, got, value)
			}
		}
		return nil
	}
}

// ExpectJSONPath asserts values of the live object by kubectl's JSONPath, which can address list items. The value at a
// path that does not exist is "".
func (s *Story) ExpectJSONPath(target string, want map[string]string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		live := s.Live(target)
		for template, value := range want {
			path := jsonpath.New("").AllowMissingKeys(true)
			if err := path.Parse(template); err != nil {
				return err
			}
			var got strings.Builder
			if err := path.Execute(&got, live.Object); err != nil {
				return err
			}
			if got.String() != value {
				return fmt.Errorf("live %s: %s is %q, want %q", target, template, got.String(), value)
			}
		}
		return nil
	}
}

// ExpectLiveJSON asserts one value of the live object, by path of plain fields, as JSON.
func (s *Story) ExpectLiveJSON(target, want string, path ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var value any = s.Live(target).Object
		for _, name := range path {
			fields, _ := value.(map[string]any)
			value = fields[name]
		}
		got, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if string(got) != want {
			return fmt.Errorf("live %s: %s is %s, want %s", target, strings.Join(path, "."), got, want)
		}
		return nil
	}
}

// ExpectLiveSet asserts the members of a list of the live object, in any order.
func (s *Story) ExpectLiveSet(target string, want []string, path ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got, _, err := unstructured.NestedStringSlice(s.Live(target).Object, path...)
		if err != nil {
			return err
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("members of %s (-want +got):\n%s", strings.Join(path, "."), diff)
		}
		return nil
	}
}

// ExpectGone asserts that objects are not on the server after the apply.
func (s *Story) ExpectGone(targets ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, target := range targets {
			if !s.Gone(target) {
				return fmt.Errorf("%s is still there", target)
			}
		}
		return nil
	}
}

// AsJSON returns a value as JSON, or the reason why it cannot be encoded.
func AsJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

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

// Sighting remembers an object, to check later whether it was replaced.
type Sighting struct {
	*Story
	// Target names the object.
	Target string
	uid    types.UID
}

// Sight returns a Sighting of an object, which See fills.
func (s *Story) Sight(target string) *Sighting { return &Sighting{Story: s, Target: target} }

// See remembers the object after the apply.
func (o *Sighting) See(*terraform.State) error {
	o.uid = o.Live(o.Target).GetUID()
	return nil
}

// ExpectReplaced asserts that the object is gone, or that its name belongs to another object.
func (o *Sighting) ExpectReplaced(*terraform.State) error {
	if !o.Gone(o.Target) && o.Live(o.Target).GetUID() == o.uid {
		return fmt.Errorf("%s is still the same object", o.Target)
	}
	return nil
}

// ExpectKept asserts that the object is still the same.
func (o *Sighting) ExpectKept(*terraform.State) error {
	if uid := o.Live(o.Target).GetUID(); uid != o.uid {
		return fmt.Errorf("%s had the uid %s and has %s", o.Target, o.uid, uid)
	}
	return nil
}
