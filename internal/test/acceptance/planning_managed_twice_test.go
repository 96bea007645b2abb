package acceptance_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The error about a second resource for one object helps to find the other resource: with a command if the
// other one is in the state, else with what the provider knows about it.
func TestObjectManagedTwiceNamesBoth(t *testing.T) {
	t.Parallel()
	const source = "# Source: shop/templates/web.yaml\n"
	renamed := func(s *story.Story) string { return s.ProviderBlock() + s.Manifest("renamed", story.ConfigMap) }
	command := "terraform state list -id='apiVersion=v1,kind=ConfigMap,namespace=NS,name=web'"
	for name, test := range map[string]struct {
		// first is applied before; "" for none.
		first  func(*story.Story) string
		config func(*story.Story) string
		says   []string
	}{
		"two new ones with one manifest": {
			config: func(s *story.Story) string { return s.Config(story.ConfigMap) + s.Manifest("twin", story.ConfigMap) },
			says: []string{"another new resource in this configuration already manages this object", `field_manager = "k8sconnect" and the same yaml_body.`,
				`Search the configuration for "web", with all modules and all for_each, and remove one of the two.`},
		},
		"two new ones of a chart": {
			config: func(s *story.Story) string {
				return s.Config("---\n"+source+story.ConfigMap, `field_manager = "a"`) + s.Manifest("twin", source+story.ConfigMap, `field_manager = "a"`)
			},
			says: []string{`field_manager = "a" and a yaml_body that comes from "shop/templates/web.yaml".`},
		},
		"one that was renamed": {
			first: func(s *story.Story) string { return s.Config(story.ConfigMap) }, config: renamed,
			says: []string{"another resource in the state already manages this object", command, "to   = k8sconnect_manifest.NEW", "terraform state rm ADDRESS"},
		},
		"a copy of one in the state": {
			first: func(s *story.Story) string { return s.Config(story.ConfigMap) },
			config: func(s *story.Story) string {
				return s.Config(story.ConfigMap) + s.Manifest("twin", story.ConfigMap, story.Adopting)
			},
			says: []string{"emove one of the two."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			said := []string{"Object Managed Twice", s.Expand("ConfigMap NS/web (v1)")}
			for _, text := range test.says {
				said = append(said, s.Expand(text))
			}
			var steps []resource.TestStep
			if test.first != nil {
				steps = append(steps, resource.TestStep{Config: test.first(s)})
			}
			steps = append(steps, resource.TestStep{Config: test.config(s), ExpectError: story.Saying(said...), PlanOnly: true})
			if test.first != nil {
				steps = append(steps, resource.TestStep{Config: test.first(s), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan())})
			} else {
				steps = append(steps, resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone("v1 ConfigMap web")})
			}
			s.Run(steps...)
		})
	}
}

// The command of the error prints the address of the other resource.
func TestObjectManagedTwicePrintsCommand(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	w.Configure(w.Manifest("old", story.ConfigMap))
	w.Do("apply", "-auto-approve")
	w.Configure(w.Manifest("new", story.ConfigMap))
	if out, err := w.Try("plan"); err == nil || !story.Saying("Object Managed Twice", "terraform state list -id=").MatchString(out) {
		t.Errorf("%v\n%s", err, out)
	}
	if out := w.Do("state", "list", "-id="+w.Expand(story.ConfigMapID)); out != "k8sconnect_manifest.old\n" {
		t.Errorf("the command prints %q", out)
	}
}

// Two blocks cannot manage one object: the plan refuses the second. Which one that is, and whether the first is
// known by then, depends on the order in which Terraform plans them.
func TestObjectManagedTwice(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]struct {
		blocks []string
		taint  []string
		// then is what becomes of the object where a moved block gives it the second address.
		then func(*story.Sighting) resource.TestCheckFunc
	}{
		"beside the first": {
			blocks: []string{"test", "twin"},
			then:   func(o *story.Sighting) resource.TestCheckFunc { return o.ExpectKept },
		},
		"beside the first, which is tainted": {
			blocks: []string{"test", "twin"}, taint: []string{story.Address},
			then: func(o *story.Sighting) resource.TestCheckFunc { return o.ExpectReplaced },
		},
		"in place of the first": {
			blocks: []string{"twin"},
			then:   func(o *story.Sighting) resource.TestCheckFunc { return o.ExpectKept },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight("v1 ConfigMap web")
			config := s.ProviderBlock()
			for _, block := range second.blocks {
				config += s.Manifest(block, story.ConfigMap)
			}
			moved := "moved {\n  from = k8sconnect_manifest.test\n  to = k8sconnect_manifest.twin\n}\n"
			s.Run(
				resource.TestStep{Config: s.Config(story.ConfigMap), Check: old.See},
				resource.TestStep{
					Taint:       second.taint,
					Config:      config,
					PlanOnly:    true,
					ExpectError: regexp.MustCompile("Object (Already Exists|Managed Twice)"),
				},
				resource.TestStep{Config: s.ProviderBlock() + s.Manifest("twin", story.ConfigMap) + moved, Check: second.then(old)},
			)
		})
	}
}

// Two new blocks for one object are refused before either creates it.
func TestObjectCreatedTwice(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			Config:      s.Config(story.ConfigMap) + s.Manifest("twin", story.ConfigMap),
			PlanOnly:    true,
			ExpectError: story.Saying("Object Managed Twice", s.Expand("ConfigMap NS/web (v1)"), "remove one of the two"),
		},
		resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone("v1 ConfigMap web")},
	)
}
