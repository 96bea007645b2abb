package adoption_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The error about a second resource for one object helps to find the other one: by a command where the state
// has it, else by what the provider knows of it.
func TestObjectManagedTwiceNamesBoth(t *testing.T) {
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
			says: []string{"has another new resource in this configuration already", `field_manager = "k8sconnect" and the same yaml_body.`,
				`Look for "web" in the configuration, in each module and each for_each as well, and remove one of the two.`},
		},
		"two new ones of a chart": {
			config: func(s *story.Story) string {
				return s.Config("---\n"+source+story.ConfigMap, `field_manager = "a"`) + s.Manifest("twin", source+story.ConfigMap, `field_manager = "a"`)
			},
			says: []string{`field_manager = "a" and a yaml_body that comes from "shop/templates/web.yaml".`},
		},
		"one that was renamed": {
			first: func(s *story.Story) string { return s.Config(story.ConfigMap) }, config: renamed,
			says: []string{"which is in the state", command, "to   = k8sconnect_manifest.NEW"},
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
				steps = append(steps, resource.TestStep{Config: test.first(s), ConfigPlanChecks: story.Checks(plancheck.ExpectEmptyPlan())})
			} else {
				steps = append(steps, resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone("v1 ConfigMap web")})
			}
			s.Run(steps...)
		})
	}
}

// The command of the error prints the address of the other resource.
func TestObjectManagedTwicePrintsCommand(t *testing.T) {
	w := story.New(t).Workspace()
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
