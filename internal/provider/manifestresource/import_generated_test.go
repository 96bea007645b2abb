package manifestresource_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"sigs.k8s.io/yaml"
)

// notWritten are fields that no author of the Deployment wrote: the server's, its defaults, and what
// kubectl and controllers note.
var notWritten = []string{
	"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation", "status",
	"imagePullPolicy", "terminationMessagePath", "terminationMessagePolicy", "dnsPolicy", "restartPolicy",
	"schedulerName", "securityContext", "terminationGracePeriodSeconds", "progressDeadlineSeconds",
	"revisionHistoryLimit", "strategy",
	"kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision",
}

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
			w.write(s.importBlock(webID))
			w.run("plan", "-generate-config-out=generated.tf")
			s.compareGenerated(w, test.manifest)

			w.run("plan", "-out=first")
			w.expect("first", expectOnly(managedState), plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))
			w.expect("first", s.expectPrediction(test.manifest))
			if out := w.run("apply", "first"); strings.Contains(out, "Warning: Object Changed") {
				t.Errorf("the apply warned:\n%s", out)
			}
			if diff := cmp.Diff(before, s.live(web).Object["spec"]); diff != "" {
				t.Errorf("the spec after the import (-before +after):\n%s", diff)
			}
			w.expectState("spec.replicas", strings.Join(test.replicas, " "))
			must(t, s.expectOwners(web, "spec.replicas", test.replicas...)(nil))

			objects, _ := w.cost("plan", "-out=second")
			w.expect("second", plancheck.ExpectEmptyPlan())
			if diff := cmp.Diff([]string{"get deployments NS/web 200"}, objects); diff != "" {
				t.Errorf("requests of a plan without changes (-want +got):\n%s", diff)
			}
			w.run("destroy", "-auto-approve")
			if !s.gone(web) {
				t.Error("the Deployment is still there")
			}
		})
	}
}

// compareGenerated fails unless the generated yaml_body is the manifest.
func (s *story) compareGenerated(w *workspace, manifest string) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.Dir, "generated.tf"))
	must(s.t, err)
	for _, field := range notWritten {
		if strings.Contains(string(text), field) {
			s.t.Errorf("the generated configuration has %s:\n%s", field, text)
		}
	}
	w.run("plan", "-out=generated")
	var got map[string]any
	plan := w.plan("generated")
	for _, change := range plan.ResourceChanges {
		after, _ := change.Change.After.(map[string]any)
		body, _ := after["yaml_body"].(string)
		must(s.t, yaml.Unmarshal([]byte(body), &got))
	}
	if diff := cmp.Diff(s.parse(manifest).Object, normal(s.t, got)); diff != "" {
		s.t.Errorf("the generated yaml_body (-as its author wrote it +got):\n%s", diff)
	}
}

// normal has the numbers of an object as story.parse reads them.
func normal(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	must(t, err)
	return (&story{t: t}).parse(string(text)).Object
}

// plan returns a saved plan.
func (w *workspace) plan(file string) *tfjson.Plan {
	w.t.Helper()
	plan := &tfjson.Plan{}
	must(w.t, json.Unmarshal([]byte(w.run("show", "-json", file)), plan))
	return plan
}

// expect runs plan checks on a saved plan.
func (w *workspace) expect(file string, all ...plancheck.PlanCheck) {
	w.t.Helper()
	plan := w.plan(file)
	for _, check := range all {
		resp := plancheck.CheckPlanResponse{}
		check.CheckPlan(context.Background(), plancheck.CheckPlanRequest{Plan: plan}, &resp)
		must(w.t, resp.Error)
	}
}

// expectState fails unless the state has just these owners of a field, sorted, with blanks between.
func (w *workspace) expectState(field, owners string) {
	w.t.Helper()
	state := &tfjson.State{}
	must(w.t, json.Unmarshal([]byte(w.run("show", "-json")), state))
	for _, stored := range state.Values.RootModule.Resources {
		if got := ownersOf(stored.AttributeValues)[field]; stored.Address != address || got != owners {
			w.t.Errorf("state: %s of %s is owned by %q, want %q", field, stored.Address, got, owners)
		}
	}
}
