package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/largeobjects"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// large is one of the largest objects that people keep, with three of its fields.
type large struct {
	body       func(note string) string
	target, id string
	// note is what an update changes, drifting is changed by kubectl, and ignored by kubectl too, for good.
	note, drifting, ignored largeField
}

// largeField is a field as attributes, JSON patches and kubectl name it.
type largeField struct{ path, pointer, jsonPath string }

var largeObjects = map[string]large{
	"a CustomResourceDefinition of 1.5 MB": {
		body:     largeobjects.Definition,
		target:   "apiextensions.k8s.io/v1 CustomResourceDefinition workflows.NS.example.com",
		id:       "apiVersion=apiextensions.k8s.io/v1,kind=CustomResourceDefinition,name=workflows.NS.example.com",
		note:     largeLabel("note"),
		drifting: largeLabel("team"),
		ignored:  largeLabel("tier"),
	},
	"a ConfigMap of 1 MB with few values": {
		body:     func(note string) string { return largeobjects.ConfigMap(11, 100_000, note) },
		target:   "v1 ConfigMap web",
		id:       "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web",
		note:     largeKey("note"),
		drifting: largeKey("0002.settings"),
		ignored:  largeKey("0003.settings"),
	},
	"a ConfigMap of 1 MB with 6000 keys": {
		body:     func(note string) string { return largeobjects.ConfigMap(6000, 140, note) },
		target:   "v1 ConfigMap web",
		id:       "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web",
		note:     largeKey("note"),
		drifting: largeKey("0002.settings"),
		ignored:  largeKey("0003.settings"),
	},
	"a list of 5000 members": {
		body:     func(note string) string { return largeobjects.Roster(5000, note) },
		target:   "NS.example.com/v1 Roster one",
		id:       "apiVersion=NS.example.com/v1,kind=Roster,namespace=NS,name=one",
		note:     largeMember(0),
		drifting: largeMember(2),
		ignored:  largeMember(3),
	},
	"a container with 500 variables": {
		body:     func(note string) string { return largeobjects.Deployment(500, note) },
		target:   "apps/v1 Deployment web",
		id:       "apiVersion=apps/v1,kind=Deployment,namespace=NS,name=web",
		note:     largeVariable(0),
		drifting: largeVariable(2),
		ignored:  largeVariable(3),
	},
}

func largeLabel(name string) largeField {
	return largeField{"metadata.labels." + name, "/metadata/labels/" + name, "{.metadata.labels." + name + "}"}
}

func largeKey(name string) largeField {
	return largeField{"data." + name, "/data/" + name, "{.data." + strings.ReplaceAll(name, ".", `\.`) + "}"}
}

func largeMember(n int) largeField {
	return largeField{
		fmt.Sprintf(`spec.members[name="member-%04d"].role`, n), fmt.Sprintf("/spec/members/%d/role", n), fmt.Sprintf("{.spec.members[%d].role}", n),
	}
}

func largeVariable(n int) largeField {
	const container = "spec.template.spec.containers"
	return largeField{
		fmt.Sprintf(`%s[name="app"].env[name="VARIABLE_%04d"].value`, container, n),
		fmt.Sprintf("/spec/template/spec/containers/0/env/%d/value", n),
		fmt.Sprintf("{.%s[0].env[%d].value}", container, n),
	}
}

// The largest objects that people keep are planned, applied, read, imported and destroyed as any other: a
// change of one field is a plan of one field, and a plan without changes is one GET.
func TestLargeObjects(t *testing.T) {
	t.Parallel()
	for name, object := range largeObjects {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if strings.Contains(object.target, "Roster") {
				s.InstallKind(largeobjects.RosterDefinition)
			}
			w := s.HostedWorkspace()
			writeLarge(w, object.body("first"))
			w.Do("apply", "-auto-approve")

			replaceField(s.As("kubectl"), object.target, object.drifting, "drifted")
			replaceField(s.As("kubectl"), object.target, object.ignored, "alone")
			writeLarge(w, object.body("second"), object.ignored.path)
			expectPlan(w,
				story.ExpectAction(plancheck.ResourceActionUpdate),
				expectEntries(story.ManagedState, object.note.path, object.drifting.path, object.ignored.path),
				story.ExpectValue(object.note.path, "first", "second"),
				story.ExpectOwner(object.drifting.path, "kubectl", "k8sconnect"),
				expectEntries(story.FieldOwnership, object.drifting.path),
			)
			w.Do("apply", "plan")
			expectNoChange(w)

			w.Do("state", "rm", story.Address)
			w.Do("import", story.Address, s.Expand(object.id))
			expectPlan(w, story.ExpectAction(plancheck.ResourceActionUpdate), expectEntries(story.ManagedState, object.ignored.path))
			w.Do("apply", "plan")
			story.Must(t, story.LiveChecks(
				s.ExpectJSONPath(object.target, map[string]string{object.note.jsonPath: "second", object.ignored.jsonPath: "alone"}),
				s.ExpectOwners(object.target, object.drifting.path, "k8sconnect"),
			)(nil))

			w.Do("destroy", "-auto-approve")
			if !s.Gone(object.target) {
				t.Error("the object is still there")
			}
		})
	}
}

// replaceField changes the value of a field.
func replaceField(m story.Manager, target string, field largeField, value string) {
	m.T.Helper()
	m.JSONPatch(target, fmt.Sprintf(`[{"op": "replace", "path": %q, "value": %q}]`, field.pointer, value))
}

// writeLarge sets a configuration that reads a manifest from a file.
func writeLarge(w *story.Workspace, body string, ignore ...string) {
	w.T.Helper()
	story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, "body.yaml"), []byte(w.Expand(body)), 0o600))
	quoted, err := json.Marshal(append([]string{}, ignore...))
	story.Must(w.T, err)
	w.Configure(fmt.Sprintf("resource \"k8sconnect_manifest\" \"test\" {\n  yaml_body = file(\"body.yaml\")\n  ignore_fields = %s\n}\n", quoted))
}

// expectNoChange asserts that a plan is empty and sends one GET.
func expectNoChange(w *story.Workspace) {
	w.T.Helper()
	requests, _ := w.Cost("plan", "-detailed-exitcode")
	if len(requests) != 1 || !strings.HasPrefix(requests[0], "get ") {
		w.T.Errorf("a plan without changes sent %q", requests)
	}
}

// expectPlan plans into the file plan and checks it.
func expectPlan(w *story.Workspace, checks ...plancheck.PlanCheck) {
	w.T.Helper()
	w.Do("plan", "-out=plan")
	var plan tfjson.Plan
	story.Must(w.T, json.Unmarshal([]byte(w.Do("show", "-json", "plan")), &plan))
	for _, check := range checks {
		var resp plancheck.CheckPlanResponse
		check.CheckPlan(w.T.Context(), plancheck.CheckPlanRequest{Plan: &plan}, &resp)
		if resp.Error != nil {
			w.T.Error(resp.Error)
		}
	}
}

// expectEntries asserts that the plan changes these entries of an attribute and no others.
func expectEntries(attribute string, want ...string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := story.PlannedOf(req)
		if err != nil {
			return err
		}
		before, _ := p.Before[attribute].(map[string]any)
		after, _ := p.After[attribute].(map[string]any)
		got := []string{}
		for field := range before {
			if story.Entry(p.Before, attribute, field) != story.Entry(p.After, attribute, field) {
				got = append(got, field)
			}
		}
		for field := range after {
			if _, was := before[field]; !was {
				got = append(got, field)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("changed entries of %s (-want +got):\n%.2000s", attribute, diff)
		}
		return nil
	})
}
