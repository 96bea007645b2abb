package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The configuration that Terraform generates for an import is the manifest that its author wrote, with
// the values of now, and the apply changes none of them.
func TestGeneratedConfiguration(t *testing.T) {
	for name, test := range map[string]struct {
		make func(*story)
		// manifest is what the author would have written.
		manifest string
		// replicas are the owners of spec.replicas after the apply.
		replicas []string
	}{
		"kubectl create": {
			make:     origins["kubectl create"].make,
			manifest: deployment,
			replicas: []string{"k8sconnect"},
		},
		"kubectl apply, then scaled": {
			make: func(s *story) {
				origins["kubectl apply, client side"].make(s)
				s.as("kubectl").scale(web, 5)
			},
			manifest: strings.Replace(deployment, "replicas: 3", "replicas: 5", 1),
			replicas: []string{"k8sconnect", "kubectl"},
		},
		"kubectl apply, server side": {
			make:     origins["kubectl apply, server side"].make,
			manifest: deployment,
			replicas: []string{"k8sconnect", "kubectl"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			test.make(s)
			before := s.live(web).Object["spec"]
			w := s.workspace()
			w.configure(s.importBlock(webID))
			w.do("plan", "-generate-config-out=generated.tf")
			s.compareGenerated(w, test.manifest)

			w.do("plan", "-out=first")
			w.expectSaved("first", expectOnly(managedState), plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))
			w.expectSaved("first", s.expectPrediction(test.manifest))
			if out := w.do("apply", "first"); strings.Contains(out, "Warning: Object Changed") {
				t.Errorf("the apply warned:\n%s", out)
			}
			if diff := cmp.Diff(before, s.live(web).Object["spec"]); diff != "" {
				t.Errorf("the spec after the import (-before +after):\n%s", diff)
			}
			w.expectState("spec.replicas", strings.Join(test.replicas, " "))
			must(t, s.expectOwners(web, "spec.replicas", test.replicas...)(nil))

			objects, _ := w.cost("plan", "-out=second")
			w.expectSaved("second", plancheck.ExpectEmptyPlan())
			if diff := cmp.Diff([]string{"get deployments NS/web 200"}, objects); diff != "" {
				t.Errorf("requests of a plan without changes (-want +got):\n%s", diff)
			}
			w.do("destroy", "-auto-approve")
			if !s.gone(web) {
				t.Error("the Deployment is still there")
			}
		})
	}
}
