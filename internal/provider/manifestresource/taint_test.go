package manifestresource_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// A tainted object is replaced: Terraform plans it as if it had no state, while it still stands.
func TestTaintReplaces(t *testing.T) {
	for name, tainted := range map[string]struct {
		body string
		edit []string
	}{
		"as it is":                {body: deployment},
		"with a change":           {body: deployment, edit: []string{"replicas: 3", "replicas: 2"}},
		"with an immutable field": {body: deployment, edit: []string{"app: web", "app: shop"}},
		"with another name":       {body: deployment, edit: []string{"name: web, namespace", "name: shop, namespace"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			old := s.sight("apps/v1 Deployment web")
			s.run(
				resource.TestStep{Config: s.config(tainted.body), Check: old.see},
				resource.TestStep{
					PreConfig: s.anew(),
					Taint:     []string{address},
					Config:    s.config(strings.NewReplacer(tainted.edit...).Replace(tainted.body)),
					ConfigPlanChecks: checks(
						expectAction(plancheck.ResourceActionReplace),
						plancheck.ExpectUnknownValue(address, pathOfUID),
						s.expectNoWarning(),
					),
					Check: old.expectReplaced,
				},
			)
		})
	}
}

// terraform taint and terraform apply -replace, in processes of their own.
func TestReplaceOnRequest(t *testing.T) {
	for name, commands := range map[string][][]string{
		"by terraform taint": {
			{"taint", address}, {"plan", "-out=plan"}, {"apply", "plan"},
		},
		"by -replace": {{"plan", "-replace=" + address, "-out=plan"}, {"apply", "plan"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			w := s.workspace()
			old := s.sight("v1 ConfigMap web")
			w.configure(s.manifest("test", configMap))
			w.do("apply", "-auto-approve")
			must(t, old.see(nil))
			for _, command := range commands {
				w.do(command...)
			}
			must(t, old.expectReplaced(nil))
			must(t, s.expectLive(old.target, map[string]any{"data.colour": "red"})(nil))
			w.do("plan", "-detailed-exitcode")
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
		then func(*sighting) resource.TestCheckFunc
	}{
		"beside the first": {
			blocks: []string{"test", "twin"},
			then:   func(o *sighting) resource.TestCheckFunc { return o.expectKept },
		},
		"beside the first, which is tainted": {
			blocks: []string{"test", "twin"}, taint: []string{address},
			then: func(o *sighting) resource.TestCheckFunc { return o.expectReplaced },
		},
		"in place of the first": {
			blocks: []string{"twin"},
			then:   func(o *sighting) resource.TestCheckFunc { return o.expectKept },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			old := s.sight("v1 ConfigMap web")
			config := s.providerBlock()
			for _, block := range second.blocks {
				config += s.manifest(block, configMap)
			}
			moved := "moved {\n  from = k8sconnect_manifest.test\n  to = k8sconnect_manifest.twin\n}\n"
			s.run(
				resource.TestStep{Config: s.config(configMap), Check: old.see},
				resource.TestStep{
					Taint:       second.taint,
					Config:      config,
					PlanOnly:    true,
					ExpectError: regexp.MustCompile("Object (Already Exists|Managed Twice)"),
				},
				resource.TestStep{Config: s.providerBlock() + s.manifest("twin", configMap) + moved, Check: second.then(old)},
			)
		})
	}
}

// Two new blocks for one object are refused before either creates it.
func TestObjectCreatedTwice(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			Config:      s.config(configMap) + s.manifest("twin", configMap),
			PlanOnly:    true,
			ExpectError: saying("Object Managed Twice", s.expand("ConfigMap NS/web (v1)"), "remove one of the two"),
		},
		resource.TestStep{Config: s.providerBlock(), Check: s.expectGone("v1 ConfigMap web")},
	)
}
