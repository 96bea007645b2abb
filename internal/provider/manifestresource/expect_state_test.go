package manifestresource_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The computed maps, as expectState and expectChange name them.
const (
	fieldOwnership = "field_ownership"
	coOwners       = "co_owners"
	managedState   = "managed_state"
)

// stateCheck makes a check of the state after the apply of a function over the resource's attributes.
type stateCheck func(attributes map[string]any) error

func (c stateCheck) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = fmt.Errorf("the state has no %s", address)
	if req.State.Values == nil || req.State.Values.RootModule == nil {
		return
	}
	for _, stored := range req.State.Values.RootModule.Resources {
		if stored.Address == address {
			resp.Error = c(stored.AttributeValues)
		}
	}
}

// expectState asserts entries of one computed map in the state, each as "path: value"; absent stands for
// an entry that is not there.
func expectState(attribute string, entries ...string) statecheck.StateCheck {
	return stateCheck(func(attributes map[string]any) error {
		for _, want := range entries {
			path, value, _ := strings.Cut(want, ": ")
			if got := entry(attributes, attribute, path); got != value {
				return fmt.Errorf("state: %s[%s] is %s, want %s", attribute, path, got, value)
			}
		}
		return nil
	})
}

// states collects state checks.
func states(all ...statecheck.StateCheck) []statecheck.StateCheck { return all }

// lives joins checks of live objects.
func lives(all ...resource.TestCheckFunc) resource.TestCheckFunc {
	return resource.ComposeTestCheckFunc(all...)
}

// expectLiveJSON asserts one value of the live object, by path of plain fields, as JSON.
func (s *story) expectLiveJSON(target, want string, path ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var value any = s.live(target).Object
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

// expectContainer asserts one value of a container of the live object's pod template, absent for none.
func (s *story) expectContainer(target, name, path, want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		containers, _, err := unstructured.NestedSlice(s.live(target).Object, "spec", "template", "spec", "containers")
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
				got = absent
			}
			if fmt.Sprint(got) != want {
				return fmt.Errorf("live %s: %s of container %s is %v, want %s", target, path, name, got, want)
			}
			return nil
		}
		return fmt.Errorf("live %s has no container %s", target, name)
	}
}

// expectContainerOrder asserts the names of the containers of the live Deployment web.
func (s *story) expectContainerOrder(want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		containers, _, err := unstructured.NestedSlice(s.live(web).Object, "spec", "template", "spec", "containers")
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

// expectLiveSet asserts the members of a list of the live object, in any order.
func (s *story) expectLiveSet(target string, want []string, path ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		got, _, err := unstructured.NestedStringSlice(s.live(target).Object, path...)
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

// anew runs others' writes before a step and forgets the warnings of earlier steps.
func (s *story) anew(writes ...func()) func() {
	return func() {
		for _, write := range writes {
			write()
		}
		s.provider.take()
	}
}

// expectOnlyWarning asserts that there was one warning since the last look, and that it has all of texts.
func (s *story) expectOnlyWarning(texts ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error { return s.warnedOnly(texts) })
}

func (s *story) warnedOnly(texts []string) error {
	warnings, _ := s.provider.take()
	if len(warnings) != 1 {
		return fmt.Errorf("got %d warnings, want one:\n%s", len(warnings), strings.Join(warnings, "\n---\n"))
	}
	for _, text := range texts {
		if !strings.Contains(warnings[0], text) {
			return fmt.Errorf("the warning does not have %q:\n%s", text, warnings[0])
		}
	}
	return nil
}

// expectUndisclosed asserts that none of the secrets, in clear or in base64, is in the plan outside
// yaml_body, nor in what the provider has said in the whole story.
func (s *story) expectUndisclosed(secrets ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		return s.undisclosed(secrets, p.before, p.after)
	})
}

// expectStateUndisclosed returns expectUndisclosed for the state.
func (s *story) expectStateUndisclosed(secrets ...string) statecheck.StateCheck {
	return stateCheck(func(attributes map[string]any) error { return s.undisclosed(secrets, attributes) })
}

func (s *story) undisclosed(secrets []string, attributes ...map[string]any) error {
	texts := s.provider.everything()
	for _, side := range attributes {
		for name, value := range side {
			if name == "yaml_body" {
				continue
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				return err
			}
			texts = append(texts, name+" = "+string(encoded))
		}
	}
	for _, text := range texts {
		for _, secret := range secrets {
			if strings.Contains(text, secret) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(secret))) {
				return fmt.Errorf("%q is disclosed by: %s", secret, text)
			}
		}
	}
	return nil
}
