package deletion_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A tainted object is replaced: Terraform plans it as if it had no state, while it still stands.
func TestTaintReplaces(t *testing.T) {
	for name, tainted := range map[string]struct {
		body string
		edit []string
	}{
		"as it is":                {body: story.Deployment},
		"with a change":           {body: story.Deployment, edit: []string{"replicas: 3", "replicas: 2"}},
		"with an immutable field": {body: story.Deployment, edit: []string{"app: web", "app: shop"}},
		"with another name":       {body: story.Deployment, edit: []string{"name: web, namespace", "name: shop, namespace"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight("apps/v1 Deployment web")
			s.Run(
				resource.TestStep{Config: s.Config(tainted.body), Check: old.See},
				resource.TestStep{
					PreConfig: s.Anew(),
					Taint:     []string{story.Address},
					Config:    s.Config(strings.NewReplacer(tainted.edit...).Replace(tainted.body)),
					ConfigPlanChecks: story.Checks(
						story.ExpectAction(plancheck.ResourceActionReplace),
						plancheck.ExpectUnknownValue(story.Address, story.PathOfUID),
						s.ExpectNoWarning(),
					),
					Check: old.ExpectReplaced,
				},
			)
		})
	}
}

// terraform taint and terraform apply -replace, in processes of their own.
func TestReplaceOnRequest(t *testing.T) {
	for name, commands := range map[string][][]string{
		"by terraform taint": {
			{"taint", story.Address}, {"plan", "-out=plan"}, {"apply", "plan"},
		},
		"by -replace": {{"plan", "-replace=" + story.Address, "-out=plan"}, {"apply", "plan"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.Workspace()
			old := s.Sight("v1 ConfigMap web")
			w.Configure(s.Manifest("test", story.ConfigMap))
			w.Do("apply", "-auto-approve")
			story.Must(t, old.See(nil))
			for _, command := range commands {
				w.Do(command...)
			}
			story.Must(t, old.ExpectReplaced(nil))
			story.Must(t, s.ExpectLive(old.Target, map[string]any{"data.colour": "red"})(nil))
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// Two blocks cannot stand for one object: the plan refuses the second. Which one that is, and whether the
// first is known by then, depends on the order in which Terraform plans them.
func TestObjectManagedTwice(t *testing.T) {
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
