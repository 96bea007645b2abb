package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
)

const plan = `{"format_version":"1.2","resource_changes":[
 {"address":"random_id.a","mode":"managed","type":"random_id","change":{"actions":["create"]}},
 {"address":"k8sconnect_manifest.web","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["update"],
  "before":{"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect",
   "yaml_body":"hunter2",
   "field_ownership":{"spec.replicas":"hpa","spec.paused":"flux","spec.x":"k8sconnect"},
   "managed_state":{"spec.replicas":"5","spec.paused":"true"}},
  "after":{"id":"apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web","field_manager":"k8sconnect",
   "yaml_body":"hunter2",
   "field_ownership":{"spec.replicas":"k8sconnect","spec.paused":"k8sconnect","spec.x":"tuner"},
   "co_owners":{"spec.paused":["flux","k8sconnect"]},
   "managed_state":{"spec.replicas":"3","spec.paused":"true"}},
  "after_unknown":{}}},
 {"address":"k8sconnect_manifest.new","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["create"],
  "before":null,"after":{},"after_unknown":{"field_ownership":true}}},
 {"address":"k8sconnect_manifest.data","mode":"managed","type":"k8sconnect_manifest","change":{"actions":["delete"],
  "before":{"id":"apiVersion=v1,kind=PersistentVolumeClaim,namespace=shop,name=data"},"after":null}}]}`

func logOf(t *testing.T, address, summary, detail string) []byte {
	t.Helper()
	line, err := json.Marshal(map[string]any{"type": "diagnostic", "diagnostic": map[string]string{
		"severity": "warning", "summary": summary, "detail": detail, "address": address}})
	if err != nil {
		t.Fatal(err)
	}
	return append(append(line, '\n'), line...)
}

var taking = [2]string{"Field Ownership Conflict: Deployment shop/web (apps/v1)", "Deployment shop/web (apps/v1): the apply " +
	"takes a field from another owner and changes its value:\n\n  spec.replicas: \"5\" -> \"3\", owned by \"hpa\" with " +
	"subresource \"scale\" using apps/v1"}

// What a warning and the attributes both say is counted once, and the most dangerous objects come first.
func TestReport(t *testing.T) {
	t.Parallel()
	for name, log := range map[string][]byte{
		"with the log": logOf(t, "k8sconnect_manifest.web", taking[0], taking[1]), "without a log": nil,
	} {
		got, err := report.Of([]byte(plan), log)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"take": 1, "share": 1, "release": 1, "update": 1, "create": 1, "delete": 1}
		if diff := cmp.Diff(want, got.Counts); diff != "" {
			t.Errorf("%s: counts (-want +got):\n%s", name, diff)
		}
		if got.OtherResources != 1 || got.Objects[0].Kind != "PersistentVolumeClaim" || got.Objects[1].Name != "web" {
			t.Errorf("%s: %+v", name, got)
		}
		if (len(got.Incomplete) == 0) != (log != nil) {
			t.Errorf("%s: incomplete: %q", name, got.Incomplete)
		}
	}
}

// The warning of an adoption names the object that the plan does not know.
func TestAdoption(t *testing.T) {
	t.Parallel()
	got, err := report.Of([]byte(plan), logOf(t, "k8sconnect_manifest.new", strings.ReplaceAll(taking[0], "web", "old"),
		strings.ReplaceAll(taking[1], "web", "old")))
	if err != nil {
		t.Fatal(err)
	}
	if got.Counts["take"] != 2 {
		t.Errorf("counts %v", got.Counts)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	made, err := report.Of([]byte(plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"take": 1, "take:h*,x": 1, "take:x": 0, "delete:PersistentVolumeClaim": 1, "delete:Secret": 0, "share:flux": 1,
		"release:tuner": 1, "incomplete": 1,
	} {
		rules, err := report.ParseRules("# rules\n\n" + text)
		if err != nil {
			t.Fatal(err)
		}
		if failures := made.Check(rules); len(failures) != want {
			t.Errorf("%s: %v", text, failures)
		}
	}
	for _, text := range []string{"", "steal", "take:", "take:a,"} {
		if _, err := report.ParseRule(text); err == nil {
			t.Errorf("%q is a rule", text)
		}
	}
}
