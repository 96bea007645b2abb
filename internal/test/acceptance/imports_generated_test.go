package acceptance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The configuration that Terraform generates for an import is the manifest that its author wrote, with
// the values of now, and the apply changes none of them.
func TestGeneratedConfiguration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(*story.Story)
		// manifest is what the author would have written.
		manifest string
		// replicas are the owners of spec.replicas after the apply.
		replicas []string
	}{
		"kubectl create": {
			make:     provenances["kubectl create"].make,
			manifest: story.Deployment,
			replicas: []string{"k8sconnect"},
		},
		"kubectl apply, then scaled": {
			make: func(s *story.Story) {
				provenances["kubectl apply, client side"].make(s)
				s.As("kubectl").Scale(story.Web, 5)
			},
			manifest: strings.Replace(story.Deployment, "replicas: 3", "replicas: 5", 1),
			replicas: []string{"k8sconnect", "kubectl"},
		},
		"kubectl apply, server side": {
			make:     provenances["kubectl apply, server side"].make,
			manifest: story.Deployment,
			replicas: []string{"k8sconnect", "kubectl"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			test.make(s)
			s.AwaitRollouts()
			before := s.Live(story.Web).Object["spec"]
			w := s.Workspace()
			w.Generate(story.WebID)
			s.CompareGenerated(w, test.manifest)

			w.Do("plan", "-out=first")
			w.ExpectSaved("first", story.ExpectOnly(story.ManagedState), plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate))
			w.ExpectSaved("first", s.ExpectPrediction(test.manifest))
			if out := w.Do("apply", "first"); strings.Contains(out, "Warning: Object Changed") {
				t.Errorf("the apply warned:\n%s", out)
			}
			if diff := cmp.Diff(before, s.Live(story.Web).Object["spec"]); diff != "" {
				t.Errorf("the spec after the import (-before +after):\n%s", diff)
			}
			w.ExpectState("spec.replicas", strings.Join(test.replicas, " "))
			story.Must(t, s.ExpectOwners(story.Web, "spec.replicas", test.replicas...)(nil))

			objects, _ := w.Cost("plan", "-out=second")
			w.ExpectSaved("second", plancheck.ExpectEmptyPlan())
			if diff := cmp.Diff([]string{"get deployments NS/web 200"}, objects); diff != "" {
				t.Errorf("requests of a plan without changes (-want +got):\n%s", diff)
			}
			w.Do("destroy", "-auto-approve")
			if !s.Gone(story.Web) {
				t.Error("the Deployment is still there")
			}
		})
	}
}
