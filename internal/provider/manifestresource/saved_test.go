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
	w.do("plan", "-out=generated")
	var got map[string]any
	plan := w.savedPlan("generated")
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

// savedPlan returns a saved plan.
func (w *workspace) savedPlan(file string) *tfjson.Plan {
	w.t.Helper()
	plan := &tfjson.Plan{}
	must(w.t, json.Unmarshal([]byte(w.do("show", "-json", file)), plan))
	return plan
}

// expectSaved runs plan checks on a saved plan.
func (w *workspace) expectSaved(file string, all ...plancheck.PlanCheck) {
	w.t.Helper()
	plan := w.savedPlan(file)
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
	must(w.t, json.Unmarshal([]byte(w.do("show", "-json")), state))
	for _, stored := range state.Values.RootModule.Resources {
		if got := ownersOf(stored.AttributeValues)[field]; stored.Address != address || got != owners {
			w.t.Errorf("state: %s of %s is owned by %q, want %q", field, stored.Address, got, owners)
		}
	}
}
