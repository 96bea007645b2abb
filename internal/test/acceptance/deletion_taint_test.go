package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A tainted object is replaced: Terraform plans it as if it had no state, while it still stands.
func TestTaintReplaces(t *testing.T) {
	t.Parallel()
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
					PreConfig: s.NextStep(),
					Taint:     []string{story.Address},
					Config:    s.Config(strings.NewReplacer(tainted.edit...).Replace(tainted.body)),
					ConfigPlanChecks: story.PlanChecks(
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

// A tainted object stays if the server would not take the new one. What the old one holds, such as a node port, does not
// count.
func TestTaintTriesTheNewObject(t *testing.T) {
	t.Parallel()
	service := "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {type: NodePort, ports: [{port: 80, nodePort: 31999}]}}"
	for name, test := range map[string]struct {
		body, target string
		edit         []string
		says         string
	}{
		"an invalid field":                {story.Deployment, story.Web, []string{"replicas: 3", "replicas: -3"}, "spec.replicas"},
		"an invalid field and a selector": {story.Deployment, story.Web, []string{"replicas: 3", "replicas: -3", "app: web", "app: shop"}, "spec.replicas"},
		"a port that the old one has":     {service, "v1 Service web", []string{"port: 80,", "port: 81,"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight(test.target)
			changed := resource.TestStep{
				PreConfig: s.NextStep(), Taint: []string{story.Address},
				Config: s.Config(strings.NewReplacer(test.edit...).Replace(test.body)), Check: old.ExpectReplaced,
			}
			steps := []resource.TestStep{{Config: s.Config(test.body), Check: old.See}, changed}
			if test.says != "" {
				steps[1].ExpectError, steps[1].Check = story.Saying("Invalid Object", test.says), nil
				steps = append(steps, resource.TestStep{
					PreConfig: func() { story.Must(t, old.ExpectKept(nil)) }, Config: s.Config(test.body), Check: old.ExpectReplaced,
				})
			}
			s.Run(steps...)
		})
	}
}

// A change of what replace_triggered_by names replaces an object whose manifest is as before, with a saved plan and
// without.
func TestReplaceTriggeredBy(t *testing.T) {
	t.Parallel()
	for name, commands := range map[string][][]string{
		"at once":       {{"apply", "-auto-approve"}},
		"saved":         {{"plan", "-out=plan"}, {"apply", "plan"}},
		"not refreshed": {{"apply", "-auto-approve", "-refresh=false"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			old := s.Sight("apps/v1 Deployment web")
			configure := func(revision string) {
				w.Configure(s.Manifest("test", story.Deployment, "lifecycle {\n    replace_triggered_by = [terraform_data.revision]\n  }") +
					"resource \"terraform_data\" \"revision\" {\n  input = \"" + revision + "\"\n}\n")
			}
			configure("1")
			w.Do("apply", "-auto-approve")
			story.Must(t, old.See(nil))
			s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":5}}`)
			configure("2")
			for _, command := range commands {
				w.Do(command...)
			}
			story.Must(t, old.ExpectReplaced(nil))
			story.Must(t, s.ExpectLive(old.Target, map[string]any{"spec.replicas": int64(3)})(nil))
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// terraform taint and terraform apply -replace, in processes of their own.
func TestReplaceOnRequest(t *testing.T) {
	t.Parallel()
	for name, commands := range map[string][][]string{
		"by terraform taint": {
			{"taint", story.Address}, {"plan", "-out=plan"}, {"apply", "plan"},
		},
		"by -replace": {{"plan", "-replace=" + story.Address, "-out=plan"}, {"apply", "plan"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
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
