package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A plan that would delete or replace a protected object is refused, whatever the reason and whatever the
// configuration says of the protection by then; the object stays as it was, until the protection is lifted.
func TestProtectionRefusesPlan(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body, target string
		edit         []string
		// arguments are those of the configuration that is refused; none is the configuration without the
		// resource.
		arguments []string
		loss      string
	}{
		"it leaves the configuration":              {body: story.ConfigMap, target: "v1 ConfigMap web", loss: "refused to delete it"},
		"another name":                             {body: story.ConfigMap, target: "v1 ConfigMap web", edit: []string{"name: web", "name: shop"}, arguments: []string{story.Protected}, loss: "yaml_body names another object"},
		"another kind while protection ends":       {body: story.ConfigMap, target: "v1 ConfigMap web", edit: []string{"ConfigMap", "Secret", "\ndata:", "\nstringData:"}, arguments: []string{"delete_protection = false"}, loss: "yaml_body names another object"},
		"an immutable field":                       {body: story.Deployment, target: "apps/v1 Deployment web", edit: []string{"app: web", "app: shop"}, arguments: []string{story.Protected}, loss: "the API server does not allow the change"},
		"an immutable field while protection ends": {body: story.Deployment, target: "apps/v1 Deployment web", edit: []string{"app: web", "app: shop"}, arguments: []string{""}, loss: "the API server does not allow the change"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight(test.target)
			refused := s.ProviderBlock()
			if len(test.arguments) > 0 {
				refused = s.Config(strings.NewReplacer(test.edit...).Replace(test.body), test.arguments...)
			}
			s.Run(
				resource.TestStep{Config: s.Config(test.body, story.Protected), Check: old.See},
				resource.TestStep{
					Config:      refused,
					ExpectError: story.Saying("Object Protected", s.Expand("NS/web"), "delete_protection = true", test.loss, "Set delete_protection = false"),
				},
				resource.TestStep{
					PreConfig:        func() { story.Must(t, old.ExpectKept(nil)) },
					Config:           s.Config(test.body, "delete_protection = false"),
					ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate)),
					Check:            old.ExpectKept,
				},
				resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone(test.target)},
			)
		})
	}
}

// The state also protects the object against Terraform's commands: a taint and -replace, which plan the object
// without its state, terraform destroy, and a tainted resource that is planned under another name, which only
// the deletion itself can detect.
func TestProtectionRefusesCommands(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	old := s.Sight("apps/v1 Deployment web")
	config := s.Manifest("test", story.Deployment, story.Protected)
	w.Configure(config)
	w.Do("apply", "-auto-approve")
	story.Must(t, old.See(nil))
	for _, test := range []struct {
		name            string
		before, refused []string
		edit            []string
		loss            string
	}{
		{name: "terraform destroy", refused: []string{"destroy", "-auto-approve"}, loss: "refused to"},
		{name: "terraform destroy without a refresh", refused: []string{"destroy", "-auto-approve", "-refresh=false"}, loss: "refused to delete it"},
		{name: "-replace", refused: []string{"plan", "-replace=" + story.Address}, loss: "a taint or -replace"},
		{name: "-replace without a refresh", refused: []string{"plan", "-refresh=false", "-replace=" + story.Address}, loss: "a taint or -replace"},
		{name: "-replace while protection ends", refused: []string{"plan", "-replace=" + story.Address}, edit: []string{story.Protected, "delete_protection = false"}, loss: "a taint or -replace"},
		{name: "a taint", before: []string{"taint", story.Address}, refused: []string{"plan"}, loss: "a taint or -replace"},
		{name: "a taint while protection ends", before: []string{"taint", story.Address}, refused: []string{"plan"}, edit: []string{story.Protected, ""}, loss: "a taint or -replace"},
		{name: "a taint with an immutable change", before: []string{"taint", story.Address}, refused: []string{"plan"}, edit: []string{"app: web", "app: shop"}, loss: "a taint or -replace"},
		{name: "destruction of a tainted resource", before: []string{"taint", story.Address}, refused: []string{"destroy", "-auto-approve"}, loss: "refused to"},
		{name: "a taint of what gets another name", before: []string{"taint", story.Address}, refused: []string{"apply", "-auto-approve"}, edit: []string{"name: web, namespace", "name: shop, namespace"}, loss: "refused to delete it"},
	} {
		if test.before != nil {
			w.Do(test.before...)
		}
		w.Configure(strings.NewReplacer(test.edit...).Replace(config))
		out, err := w.Try(test.refused...)
		if err == nil || !story.Saying("Object Protected", s.Expand("Deployment NS/web (apps/v1)"), test.loss).MatchString(out) {
			t.Errorf("%s: want a refusal, got %v\n%s", test.name, err, out)
		}
		story.Must(t, old.ExpectKept(nil))
		if test.before != nil {
			w.Do("untaint", story.Address)
		}
	}
	w.Configure(s.Manifest("test", story.Deployment))
	w.Do("apply", "-auto-approve")
	story.Must(t, old.ExpectKept(nil))
	w.Do("destroy", "-auto-approve")
	story.Must(t, s.ExpectGone(old.Target)(nil))
}

// Protection is of the object, not of its address: a resource may move and may be forgotten.
func TestProtectionAllowsMoves(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	old := s.Sight("v1 ConfigMap web")
	w.Configure(s.Manifest("test", story.ConfigMap, story.Protected))
	w.Do("apply", "-auto-approve")
	story.Must(t, old.See(nil))
	w.Configure(s.Manifest("moved", story.ConfigMap, story.Protected), "moved {\n  from = k8sconnect_manifest.test\n  to   = k8sconnect_manifest.moved\n}\n")
	w.Do("apply", "-auto-approve")
	w.Configure("removed {\n  from = k8sconnect_manifest.moved\n  lifecycle {\n    destroy = false\n  }\n}\n")
	w.Do("apply", "-auto-approve")
	story.Must(t, old.ExpectKept(nil))
	if left := strings.TrimSpace(w.Do("state", "list")); left != "" {
		t.Errorf("the state still has %s", left)
	}
}
