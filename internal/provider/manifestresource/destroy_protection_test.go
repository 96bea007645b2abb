package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// A plan that would delete or replace a protected object is refused, whatever the reason and whatever the
// configuration says of the protection by then; the object stays as it was, until the protection is lifted.
func TestProtectionRefusesPlan(t *testing.T) {
	for name, test := range map[string]struct {
		body, target string
		edit         []string
		// arguments are those of the configuration that is refused; none is the configuration without the
		// resource.
		arguments []string
		loss      string
	}{
		"it leaves the configuration":              {body: configMap, target: "v1 ConfigMap web", loss: "refused to delete it"},
		"another name":                             {body: configMap, target: "v1 ConfigMap web", edit: []string{"name: web", "name: shop"}, arguments: []string{protected}, loss: "yaml_body names another object"},
		"another kind while protection ends":       {body: configMap, target: "v1 ConfigMap web", edit: []string{"ConfigMap", "Secret", "\ndata:", "\nstringData:"}, arguments: []string{"delete_protection = false"}, loss: "yaml_body names another object"},
		"an immutable field":                       {body: deployment, target: "apps/v1 Deployment web", edit: []string{"app: web", "app: shop"}, arguments: []string{protected}, loss: "the API server does not allow the change"},
		"an immutable field while protection ends": {body: deployment, target: "apps/v1 Deployment web", edit: []string{"app: web", "app: shop"}, arguments: []string{""}, loss: "the API server does not allow the change"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			old := s.sight(test.target)
			refused := s.providerBlock()
			if len(test.arguments) > 0 {
				refused = s.config(strings.NewReplacer(test.edit...).Replace(test.body), test.arguments...)
			}
			s.run(
				resource.TestStep{Config: s.config(test.body, protected), Check: old.see},
				resource.TestStep{
					Config:      refused,
					ExpectError: saying("Object Protected", s.expand("NS/web"), "delete_protection = true", test.loss, "Set delete_protection = false"),
				},
				resource.TestStep{
					PreConfig:        func() { must(t, old.expectKept(nil)) },
					Config:           s.config(test.body, "delete_protection = false"),
					ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate)),
					Check:            old.expectKept,
				},
				resource.TestStep{Config: s.providerBlock(), Check: s.expectGone(test.target)},
			)
		})
	}
}

// What Terraform's commands ask for is refused as well, by the state: a taint and -replace, which plan the
// object without its state, terraform destroy, and a tainted resource that is planned under another name,
// which only the deletion itself can tell.
func TestProtectionRefusesCommands(t *testing.T) {
	s := newStory(t)
	w := s.workspace()
	old := s.sight("apps/v1 Deployment web")
	config := s.manifest("test", deployment, protected)
	w.configure(config)
	w.do("apply", "-auto-approve")
	must(t, old.see(nil))
	for _, test := range []struct {
		name            string
		before, refused []string
		edit            []string
		loss            string
	}{
		{name: "terraform destroy", refused: []string{"destroy", "-auto-approve"}, loss: "refused to"},
		{name: "terraform destroy without a refresh", refused: []string{"destroy", "-auto-approve", "-refresh=false"}, loss: "refused to delete it"},
		{name: "-replace", refused: []string{"plan", "-replace=" + address}, loss: "a taint or -replace"},
		{name: "-replace without a refresh", refused: []string{"plan", "-refresh=false", "-replace=" + address}, loss: "a taint or -replace"},
		{name: "-replace while protection ends", refused: []string{"plan", "-replace=" + address}, edit: []string{protected, "delete_protection = false"}, loss: "a taint or -replace"},
		{name: "a taint", before: []string{"taint", address}, refused: []string{"plan"}, loss: "a taint or -replace"},
		{name: "a taint while protection ends", before: []string{"taint", address}, refused: []string{"plan"}, edit: []string{protected, ""}, loss: "a taint or -replace"},
		{name: "a taint with an immutable change", before: []string{"taint", address}, refused: []string{"plan"}, edit: []string{"app: web", "app: shop"}, loss: "a taint or -replace"},
		{name: "destruction of a tainted resource", before: []string{"taint", address}, refused: []string{"destroy", "-auto-approve"}, loss: "refused to"},
		{name: "a taint of what gets another name", before: []string{"taint", address}, refused: []string{"apply", "-auto-approve"}, edit: []string{"name: web, namespace", "name: shop, namespace"}, loss: "refused to delete it"},
	} {
		if test.before != nil {
			w.do(test.before...)
		}
		w.configure(strings.NewReplacer(test.edit...).Replace(config))
		out, err := w.try(test.refused...)
		if err == nil || !saying("Object Protected", s.expand("Deployment NS/web (apps/v1)"), test.loss).MatchString(out) {
			t.Errorf("%s: want a refusal, got %v\n%s", test.name, err, out)
		}
		must(t, old.expectKept(nil))
		if test.before != nil {
			w.do("untaint", address)
		}
	}
	w.configure(s.manifest("test", deployment))
	w.do("apply", "-auto-approve")
	must(t, old.expectKept(nil))
	w.do("destroy", "-auto-approve")
	must(t, s.expectGone(old.target)(nil))
}

// Protection is of the object, not of its address: a resource may move and may be forgotten.
func TestProtectionAllowsMoves(t *testing.T) {
	s := newStory(t)
	w := s.workspace()
	old := s.sight("v1 ConfigMap web")
	w.configure(s.manifest("test", configMap, protected))
	w.do("apply", "-auto-approve")
	must(t, old.see(nil))
	w.configure(s.manifest("moved", configMap, protected), "moved {\n  from = k8sconnect_manifest.test\n  to   = k8sconnect_manifest.moved\n}\n")
	w.do("apply", "-auto-approve")
	w.configure("removed {\n  from = k8sconnect_manifest.moved\n  lifecycle {\n    destroy = false\n  }\n}\n")
	w.do("apply", "-auto-approve")
	must(t, old.expectKept(nil))
	if left := strings.TrimSpace(w.do("state", "list")); left != "" {
		t.Errorf("the state still has %s", left)
	}
}
