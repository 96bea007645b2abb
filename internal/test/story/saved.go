package story

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

// notWritten are fields that the author of the Deployment did not write: those of the server, its defaults, and the
// annotations of kubectl and controllers. Authors of other objects write some of them.
var notWritten = []string{
	"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation", "status",
	"imagePullPolicy", "terminationMessagePath", "terminationMessagePolicy", "dnsPolicy", "restartPolicy",
	"schedulerName", "securityContext", "terminationGracePeriodSeconds", "progressDeadlineSeconds",
	"revisionHistoryLimit", "strategy",
	"kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision",
}

// CompareGenerated fails unless the generated yaml_body is the manifest.
func (s *Story) CompareGenerated(w *Workspace, manifest string) {
	s.T.Helper()
	text, err := os.ReadFile(filepath.Join(w.Dir, "generated.tf"))
	Must(s.T, err)
	for _, field := range notWritten {
		if strings.Contains(string(text), field) && !strings.Contains(manifest, field) {
			s.T.Errorf("the generated configuration has %s:\n%s", field, text)
		}
	}
	w.Do("plan", "-out=generated")
	var got map[string]any
	plan := w.savedPlan("generated")
	for _, change := range plan.ResourceChanges {
		after, _ := change.Change.After.(map[string]any)
		body, _ := after["yaml_body"].(string)
		Must(s.T, yaml.Unmarshal([]byte(body), &got))
	}
	if diff := cmp.Diff(s.Parse(manifest).Object, normal(s.T, got)); diff != "" {
		s.T.Errorf("the generated yaml_body (-as its author wrote it +got):\n%s", diff)
	}
}

// normal returns an object with its numbers as Parse reads them.
func normal(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	Must(t, err)
	return (&Story{T: t}).Parse(string(text)).Object
}

func (w *Workspace) savedPlan(file string) *tfjson.Plan {
	w.T.Helper()
	plan := &tfjson.Plan{}
	Must(w.T, json.Unmarshal([]byte(w.Do("show", "-json", file)), plan))
	return plan
}

// ExpectSaved runs plan checks on a saved plan.
func (w *Workspace) ExpectSaved(file string, all ...plancheck.PlanCheck) {
	w.T.Helper()
	plan := w.savedPlan(file)
	for _, check := range all {
		resp := plancheck.CheckPlanResponse{}
		check.CheckPlan(context.Background(), plancheck.CheckPlanRequest{Plan: plan}, &resp)
		Must(w.T, resp.Error)
	}
}

// State returns the resources in the state.
func (w *Workspace) State() []*tfjson.StateResource {
	w.T.Helper()
	state := &tfjson.State{}
	Must(w.T, json.Unmarshal([]byte(w.Do("show", "-json")), state))
	if state.Values == nil {
		return nil
	}
	return state.Values.RootModule.Resources
}

// ExpectState fails unless the state contains exactly these owners of a field, sorted and separated by blanks.
func (w *Workspace) ExpectState(field, owners string) {
	w.T.Helper()
	for _, stored := range w.State() {
		if got := OwnersOf(stored.AttributeValues)[field]; stored.Address != Address || got != owners {
			w.T.Errorf("state: %s of %s is owned by %q, want %q", field, stored.Address, got, owners)
		}
	}
}
