package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The error about a second resource for one object helps to find the other one: by a command where the state
// has it, else by what the provider knows of it.
func TestObjectManagedTwiceNamesBoth(t *testing.T) {
	const source = "# Source: shop/templates/web.yaml\n"
	renamed := func(s *story) string { return s.providerBlock() + s.manifest("renamed", configMap) }
	command := "terraform state list -id='apiVersion=v1,kind=ConfigMap,namespace=NS,name=web'"
	for name, test := range map[string]struct {
		// first is applied before; "" for none.
		first  func(*story) string
		config func(*story) string
		says   []string
	}{
		"two new ones with one manifest": {
			config: func(s *story) string { return s.config(configMap) + s.manifest("twin", configMap) },
			says: []string{"another new resource in this configuration already manages this object", `field_manager = "k8sconnect" and the same yaml_body.`,
				`Search the configuration for "web", with all modules and all for_each, and remove one of the two.`},
		},
		"two new ones of a chart": {
			config: func(s *story) string {
				return s.config("---\n"+source+configMap, `field_manager = "a"`) + s.manifest("twin", source+configMap, `field_manager = "a"`)
			},
			says: []string{`field_manager = "a" and a yaml_body that comes from "shop/templates/web.yaml".`},
		},
		"one that was renamed": {
			first: func(s *story) string { return s.config(configMap) }, config: renamed,
			says: []string{"another resource in the state already manages this object", command, "to   = k8sconnect_manifest.NEW"},
		},
		"a copy of one in the state": {
			first:  func(s *story) string { return s.config(configMap) },
			config: func(s *story) string { return s.config(configMap) + s.manifest("twin", configMap, adopting) },
			says:   []string{"emove one of the two."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			said := []string{"Object Managed Twice", s.expand("ConfigMap NS/web (v1)")}
			for _, text := range test.says {
				said = append(said, s.expand(text))
			}
			var steps []resource.TestStep
			if test.first != nil {
				steps = append(steps, resource.TestStep{Config: test.first(s)})
			}
			steps = append(steps, resource.TestStep{Config: test.config(s), ExpectError: saying(said...), PlanOnly: true})
			if test.first != nil {
				steps = append(steps, resource.TestStep{Config: test.first(s), ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan())})
			} else {
				steps = append(steps, resource.TestStep{Config: s.providerBlock(), Check: s.expectGone("v1 ConfigMap web")})
			}
			s.run(steps...)
		})
	}
}

// The command of the error prints the address of the other resource.
func TestObjectManagedTwicePrintsCommand(t *testing.T) {
	w := newStory(t).workspace()
	w.write(w.manifest("old", configMap))
	w.run("apply", "-auto-approve")
	w.write(w.manifest("new", configMap))
	if out, err := w.try("plan"); err == nil || !saying("Object Managed Twice", "terraform state list -id=").MatchString(out) {
		t.Errorf("%v\n%s", err, out)
	}
	if out := w.run("state", "list", "-id="+w.expand(webMapID)); out != "k8sconnect_manifest.old\n" {
		t.Errorf("the command prints %q", out)
	}
}
